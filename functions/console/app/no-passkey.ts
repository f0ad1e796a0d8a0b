/** The person, or the browser, used no passkey. Its message is for people. */
export class NoPasskeyError extends Error {}
