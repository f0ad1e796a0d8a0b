/** Answer of the hub. */
export interface HubAnswer {
  readonly status: number;
  /** Parsed body; undefined if it is no JSON. */
  readonly body: unknown;
  /** Seconds to wait, of answers that ask for it. */
  readonly retryAfterS: number | undefined;
}
