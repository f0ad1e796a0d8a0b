import type { OnDamaged } from '../data/table/damaged-items.ts';
import type { HolderKind, User } from '../data/users/users.ts';
import type { Scope } from '../domain/scopes.ts';
import type { Runtime } from '../runtime.ts';

/** Session of a request, or a platform token or an API key, which take its place. */
export interface PresentedSession {
  /** Id of the session, the token or the key. */
  readonly sid: string;
  readonly kind: HolderKind;
  /** Number of renewals of the session before its token; undefined for a platform token and an API key. */
  readonly generation?: number;
  readonly userId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** False for a platform token that was made by a caller with the `user_id` alone. */
  readonly signedIn: boolean;
  /** Access token, for the operations that return the session. */
  readonly accessToken: string;
}

/** API key of a request, which the record of its user has. */
export interface HeldKey {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** Names a session of a user. */
export interface HeldSession {
  readonly userId: string;
  readonly sid: string;
}

/** Context of a request; each handler gets it together with the validated input. */
export interface Call extends Runtime {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** True if a web page of an origin that is not allowed sent the request. Its cookies are refused. */
  readonly foreign: boolean;
  /** Network of the caller: an IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  /** Wide network of the caller: the /24 of an IPv4 address, the /48 of an IPv6 address; undefined for this machine. */
  readonly wideNetwork: string | undefined;
  /** Context that the authorizer returned; undefined for operations without an authorizer. */
  readonly authorized: unknown;
  /** Time of the request; the same during the whole request. */
  readonly now: Date;
  /** Session of the caller; undefined if none was sent or if the operation does not use it. */
  readonly session: PresentedSession | undefined;
  /** Returns the API key of the caller; undefined for other callers. Throws an error before the first read. */
  readonly apiKey: () => HeldKey | undefined;
  /** Reads the user of the request once, for callers of the kinds `user` and `session`. Throws 404 for an unknown user. */
  readonly user: () => Promise<User>;
  /** Checks again, after a wait, that the session has neither expired nor been revoked. Throws 401 session_invalid. */
  readonly reconfirm: () => Promise<unknown>;
  /** Logs and counts a damaged record that a list leaves out. */
  readonly onDamaged: OnDamaged;
  /** Adds a cookie (a whole Set-Cookie value) to the answer. The operation must declare `cookies`. */
  readonly setCookie: (cookie: string) => void;
  /** Marks the answer as one with a secret that is shown once. It is not repeated for an Idempotency-Key. */
  readonly showOnce: () => void;
  /** Ties the answer to a session that it holds. It is repeated for an Idempotency-Key only while the session holds. */
  readonly tieTo: (session: HeldSession) => void;
}
