import type { User } from '../data/users/users.ts';
import type { Runtime } from '../runtime.ts';

/** A session that was presented and verified. */
export interface PresentedSession {
  readonly sid: string;
  readonly userId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Whether it is a platform token: `sid` is then that token's id. */
  readonly platform: boolean;
  /** False for a platform token that was made by a caller with the `user_id` alone. */
  readonly signedIn: boolean;
  /** The access token itself, to be handed back by the operations that return the session. */
  readonly accessToken: string;
}

/** What a handler is given beside its checked input. */
export interface Call extends Runtime {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** Whether a web page of an origin that is not allowed sent the request: its cookies are refused. */
  readonly foreign: boolean;
  /** The network that the request came from: an IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  /** What the authorizer in front of the operation says of the caller; undefined where none stands there. */
  readonly authorized: unknown;
  /** The moment of the request: the same wherever the request looks. */
  readonly now: Date;
  /** The session that accompanies the call, where there is one and the operation looks at it. */
  readonly session: PresentedSession | undefined;
  /** The user of an operation called by a user or a session, read once. 404 where there is none. */
  readonly user: () => Promise<User>;
  /** Sets a cookie (a whole Set-Cookie value) with the answer; only where the operation declares cookies. */
  readonly setCookie: (cookie: string) => void;
  /** Says that the answer holds a secret that is shown once: no Idempotency-Key has it repeated. */
  readonly showOnce: () => void;
}
