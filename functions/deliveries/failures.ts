/** The addressee or the content was refused: trying again would be refused again. */
export class Refused extends Error {}

/** A newer version wrote the message, and will deliver it. */
export class NewerMessage extends Error {}

/** The service asks to be tried again, not before `afterMs` where it says so. */
export class Later extends Error {
  readonly afterMs: number | undefined;
  constructor(reason: string, afterMs: number | undefined) {
    super(reason);
    this.afterMs = afterMs;
  }
}
