/** Account of the services on this machine. */
export const ACCOUNT = '000000000000';
