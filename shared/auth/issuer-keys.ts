import { type CompactVerifyGetKey, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import * as z from 'zod';
import { callUpstream, UpstreamDown } from '../channels/upstream.ts';

const SERVICE = 'an issuer of access tokens';
/** After this long, keys are asked for again, so that withdrawn ones go. */
const FRESH_MS = 10 * 60_000;
/** For this long, keys hold while their issuer cannot be asked. */
const KEPT_MS = 24 * 3_600_000;
/** Not more often than this is an issuer asked, whatever tokens come in its name. */
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
 * The published keys of an issuer (RFC 7517), kept between requests. While the issuer cannot be reached,
 * those that are known go on for a day. It is asked for at most 2 seconds, and at most every 30.
 */
export class IssuerKeys {
  readonly #url: URL;
  #held: { readonly find: FindKey; readonly at: number } | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  /** Why the last time of asking failed, where it did. */
  #failure: unknown;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /**
   * Finds the key that a token's header names.
   *
   * @throws UpstreamDown where only the issuer could tell; a JOSEError where it has no such key.
   */
  async find(now: Date, ...[header, token]: Parameters<CompactVerifyGetKey>): ReturnType<FindKey> {
    const at = now.getTime();
    if (!this.#held || at - this.#held.at > FRESH_MS) await this.#ask(at);
    try {
      return await this.#known(at)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // It may be a new one.
      await this.#ask(at);
      if (this.#failure !== undefined) throw new UpstreamDown(SERVICE, this.#failure);
      return this.#known(at)(header, token);
    }
  }

  #known(at: number): FindKey {
    if (!this.#held || at - this.#held.at > KEPT_MS) throw new UpstreamDown(SERVICE, this.#failure);
    return this.#held.find;
  }

  /** Asks the issuer, unless it was asked just now; those who come meanwhile wait for the same answer. */
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
