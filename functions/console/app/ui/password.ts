/** Smallest number of characters of a new password. */
export const MIN_PASSWORD = 8;
/** Largest number of characters of a new password. */
export const MAX_PASSWORD = 1024;

/** Hint of fields for a new password. */
export const PASSWORD_HINT = `At least ${MIN_PASSWORD} characters.`;
