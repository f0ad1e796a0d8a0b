/** Reports a permanent refusal of the address or the content. */
export class DeliveryRefusedError extends Error {}

/** Reports a message that only a newer version can deliver. */
export class NewerMessageError extends Error {}

/** Reports a delivery to retry, not before `afterMs` if set, until it is `keepMs` old: a day without it. */
export class RetryLaterError extends Error {
  readonly afterMs: number | undefined;
  readonly keepMs: number | undefined;
  constructor(reason: string, afterMs: number | undefined, keepMs?: number) {
    super(reason);
    this.afterMs = afterMs;
    this.keepMs = keepMs;
  }
}

/** Reports a delivery to retry at a steady, short gap. */
export class RetrySoonError extends Error {}
