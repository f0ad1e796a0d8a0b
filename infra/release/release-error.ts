/** A release or a roll-back that did not reach its end. Its message says what to do. */
export class ReleaseError extends Error {}
