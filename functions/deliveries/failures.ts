/** Reports a permanent refusal of the address or the content. */
export class DeliveryRefusedError extends Error {}

/** Reports a message that only a newer version can deliver. */
export class NewerMessageError extends Error {}

/** Reports a delivery to retry, not before `afterMs` if set. */
export class RetryLaterError extends Error {
  readonly afterMs: number | undefined;
  constructor(reason: string, afterMs: number | undefined) {
    super(reason);
    this.afterMs = afterMs;
  }
}
