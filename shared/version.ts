/** The interface's version, as the contract numbers it. */
export const API_VERSION = '0.1.0';
