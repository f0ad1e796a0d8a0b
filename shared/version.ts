/** Version of the contract. */
export const API_VERSION = '0.1.0';
