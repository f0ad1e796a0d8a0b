import { claimedKeyOf, isApiKey, isInRanges, isKeyOf } from '../auth/api-keys.ts';
import { noteKeyUse } from '../data/users/api-keys.ts';
import type { User } from '../data/users/users.ts';
import { allows, type NeededScope, narrowed } from '../domain/scopes.ts';
import { own } from '../domain/unknown-fields.ts';
import type { Runtime } from '../runtime.ts';
import type { Call, HeldKey, PresentedSession } from './call.ts';
import { HubError } from './errors.ts';
import { describeError } from './redact.ts';

/** Terms on which an API key may make a request. */
export interface KeyTerms {
  /** Scope that the request needs; undefined if no key may make it. */
  readonly scope?: NeededScope | undefined;
  /** Scopes that the request may use at most, separated by blanks; those of the key without it. */
  readonly most?: string | undefined;
  /** Address of the caller. */
  readonly address?: string | undefined;
}

const invalidKey = (): HubError =>
  new HubError(
    'api_key_invalid',
    'The API key is unknown, has expired or was revoked. Make another one; an assistant renews its access token.',
  );

const missingScope = (scope: NeededScope): HubError =>
  new HubError('scope_insufficient', `This needs an API key with the scope ${scope}.`);

/** Requires a scope of the API key of a call, if it came with one, by a stored record. @throws HubError scope_insufficient */
export const requireScope = ({ apiKey }: Pick<Call, 'apiKey'>, scope: NeededScope): void => {
  const key = apiKey();
  if (key && !allows(key.scopes, scope)) throw missingScope(scope);
};

/** Returns the facts about the API key of a call for the audit trail; none for other callers. */
export const keyFacts = ({ session }: Pick<Call, 'session'>): Readonly<Record<string, string>> =>
  session?.kind === 'api_key' ? { api_key_id: session.sid } : {};

/** API key of a request: what its text claims, and after the first read of the user, what the user's record says. */
export class KeyCaller {
  readonly session: PresentedSession;
  readonly #scope: NeededScope;
  readonly #most: string | undefined;
  readonly #address: string | undefined;
  #held: HeldKey | undefined;
  #noted: Promise<void> | undefined;

  /** @throws HubError api_key_invalid for a malformed key; scope_insufficient if no key may make the request. */
  constructor(text: string, { scope, most, address }: KeyTerms) {
    const claimed = claimedKeyOf(text);
    if (!claimed) throw invalidKey();
    if (!scope) {
      throw new HubError('scope_insufficient', 'No API key may do this. Sign in and use that session.');
    }
    this.#scope = scope;
    this.#most = most;
    this.#address = address;
    this.session = {
      sid: claimed.keyId,
      kind: 'api_key',
      userId: claimed.userId,
      expiresAt: Number.MAX_SAFE_INTEGER,
      signedIn: true,
      accessToken: text,
    };
  }

  /** Returns the key once the user's record has shown that it is valid. */
  held(): HeldKey {
    if (!this.#held) throw new Error('the API key of a request was asked for before its user was read');
    return this.#held;
  }

  /**
   * Requires that the user has the key, and that it allows the request.
   *
   * @throws HubError api_key_invalid, network_refused, scope_insufficient
   */
  requireHeld(user: User | undefined, at: Date): User {
    const { sid: keyId, accessToken: text } = this.session;
    const key = own(user?.api_keys ?? {}, keyId);
    const isRight = isKeyOf(key?.hash, text);
    const until = key?.assistant?.token_expires_at ?? key?.expires_at ?? 0;
    if (!user || !key || !isRight || until * 1000 <= at.getTime()) throw invalidKey();
    if (key.addresses && !isInRanges(key.addresses, this.#address ?? '')) {
      throw new HubError('network_refused', 'The API key may not be used from this address.');
    }
    const scopes = this.#most === undefined ? key.scopes : narrowed(key.scopes, this.#most);
    if (!allows(scopes, this.#scope)) throw missingScope(this.#scope);
    this.#held = { keyId, scopes };
    return user;
  }

  /** Notes the use of the key for its owner, once. A failure is logged, as the request itself succeeded. */
  noteUse({ store, log }: Pick<Runtime, 'store' | 'log'>, user: User, now: Date): Promise<void> {
    this.#noted ??= noteKeyUse(store, user, this.session.sid, now).catch((error: unknown) =>
      log.warn('the use of an API key was not noted', describeError(error)),
    );
    return this.#noted;
  }
}

/** Returns the API key in the Authorization header. No other part of a request is searched for one. */
export const presentedKey = (bearer: string | undefined, terms: KeyTerms): KeyCaller | undefined =>
  bearer !== undefined && isApiKey(bearer) ? new KeyCaller(bearer, terms) : undefined;
