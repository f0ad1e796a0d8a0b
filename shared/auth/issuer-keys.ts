import { type CompactVerifyGetKey, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import * as z from 'zod';
import { callUpstream, UpstreamDownError } from '../channels/upstream.ts';

const SERVICE = 'an issuer of access tokens';
/** Fetch keys again after this time, so that withdrawn ones disappear. */
const FRESH_MS = 10 * 60_000;
/** Use known keys for this time while the issuer is unreachable. */
const KEPT_MS = 24 * 3_600_000;
/** Minimum time between two requests to an issuer, so that forged tokens cannot cause a request each. */
const PAUSE_MS = 30_000;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
const keySet = z.custom<JSONWebKeySet>(isKeySet, 'not a JSON Web Key Set');

const readKeys = async (response: Response) => {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return createLocalJWKSet(keySet.parse(await response.json()));
};

type FindKey = ReturnType<typeof createLocalJWKSet>;

/**
 * Caches the public keys of an issuer (RFC 7517) between requests. While the issuer is unreachable, known keys stay
 * valid for a day. A request to the issuer takes at most 2 s; there is at most one every 30 s.
 */
export class IssuerKeys {
  readonly #url: URL;
  #held: { readonly find: FindKey; readonly at: number } | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  /** Error of the last request; undefined if it succeeded. */
  #failure: unknown;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /**
   * Finds the key that a token's header names.
   *
   * @throws UpstreamDownError if the issuer is unreachable and no known key matches.
   * @throws JOSEError if the issuer does not have the key.
   */
  async find(now: Date, ...[header, token]: Parameters<CompactVerifyGetKey>): ReturnType<FindKey> {
    const at = now.getTime();
    if (!this.#held || at - this.#held.at > FRESH_MS) await this.#ask(at);
    try {
      return await this.#known(at)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The key may be new.
      await this.#ask(at);
      if (this.#failure !== undefined) throw new UpstreamDownError(SERVICE, this.#failure);
      return this.#known(at)(header, token);
    }
  }

  #known(at: number): FindKey {
    if (!this.#held || at - this.#held.at > KEPT_MS) throw new UpstreamDownError(SERVICE, this.#failure);
    return this.#held.find;
  }

  /** Fetches the keys, at most once in the pause. Concurrent callers wait for the same request. */
  #ask(at: number): Promise<void> {
    if (this.#asking) return this.#asking;
    if (at - this.#askedAt < PAUSE_MS) return Promise.resolve();
    this.#askedAt = at;
    this.#asking = callUpstream(SERVICE, this.#url, {}, readKeys)
      .then((find) => {
        this.#held = { find, at };
        this.#failure = undefined;
      })
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
