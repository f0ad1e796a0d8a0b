/** Application that asks to act for a user. */
export interface OAuthClient {
  /** Name that it gives itself. */
  readonly name: string;
  /** Host of its document, which vouches for it; undefined for one that registered itself. */
  readonly host?: string | undefined;
  /** Addresses that it may be sent back to. */
  readonly redirects: readonly string[];
}
