/** Attempts without progress after which a job fails. */
export const MAX_ATTEMPTS = 8;

/** A job cannot be finished. The message is for its owner. */
export class JobFailedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JobFailedError';
  }
}
