import { createHash } from 'node:crypto';
import type { RateLimits } from '../settings.ts';
import type { RateClass } from './operation.ts';
import type { Admission } from './rate-headers.ts';

/** Origin of a request, as the limiter counts it. */
export interface RateKey {
  /** Names a caller who proved the identity, such as the user of a session. */
  readonly verified?: string | undefined;
  /** Credential that nothing has checked yet, such as a `user_id`. */
  readonly claimed?: string | undefined;
  /** Name under which the claimed credential counts once it is proven, if others follow it: an assistant renews its token. */
  readonly counted?: string | undefined;
  /** Truncated address of the caller. */
  readonly network: string;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

/** Bound of both maps, some 2 MB. The longest unused entries go first. */
const MAX_ENTRIES = 10_000;

const touch = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
};

/**
 * Counts the requests of each caller in windows that begin with the caller's first request. Windows are in the memory
 * of one instance of a function, so a limit costs no call and is exact for one instance only.
 *
 * A caller is a verified identity or a credential that was valid before. All other requests count for the network, so
 * that invented credentials share one quota, and nobody uses up the quota of another credential.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #salt: Buffer;
  readonly #windows = new Map<string, Window>();
  readonly #proven = new Map<string, true>();

  constructor(limits: RateLimits, salt: Buffer) {
    this.#limits = limits;
    this.#salt = salt;
  }

  /** Digests a credential with a key of this instance, so that memory holds no credentials. */
  #digest(text: string): string {
    return createHash('sha256').update(this.#salt).update(text).digest('base64url');
  }

  admit(
    rateClass: RateClass,
    { verified, claimed, counted = claimed, network }: RateKey,
    now: number,
  ): Admission {
    const claim = claimed === undefined ? undefined : this.#digest(claimed);
    const isProven = claim !== undefined && this.#proven.has(claim);
    const name = verified ?? (isProven ? counted : undefined);
    const credential = name === undefined ? undefined : this.#digest(name);
    const { window_s: windowS } = this.#limits;
    const kind = credential === undefined ? 'network' : 'credential';
    const quota = this.#limits[kind][rateClass];
    const key = `${rateClass} ${credential ?? network}`;
    const known = this.#windows.get(key);
    // Also begins a new window if the clock was set back.
    const isOpen = known !== undefined && known.endsAt > now && known.endsAt <= now + windowS * 1000;
    const window = isOpen ? known : { endsAt: now + windowS * 1000, used: 0 };
    const isAdmitted = window.used < quota;
    if (isAdmitted) window.used += 1;
    touch(this.#windows, key, window);
    if (isProven) touch(this.#proven, claim, true);
    return {
      isAdmitted,
      policy: kind === 'network' ? `network-${rateClass}` : rateClass,
      quota,
      windowS,
      remaining: quota - window.used,
      resetS: Math.ceil((window.endsAt - now) / 1000),
      prove: () => {
        if (claim === undefined) return;
        touch(this.#proven, claim, true);
        // A valid credential costs its network nothing: senders such as TradingView have few addresses.
        if (kind === 'network' && isAdmitted) window.used -= 1;
      },
      refute: () => {
        // Else an ended token would use up the quota of the one that followed it. Others are refused for more reasons.
        if (claim !== undefined && counted !== claimed) this.#proven.delete(claim);
      },
    };
  }
}
