/** A release or a roll-back that did not reach its end. Its message says what to do. */
export class ReleaseError extends Error {}

/** Returns the reason of a failure for a line of text. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
