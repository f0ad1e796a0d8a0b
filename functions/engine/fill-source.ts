import type { AccountSub } from '../../shared/data/engine/subscriptions.ts';
import type { BookedSplit } from './split/book-split.ts';

/** Result of serving an account. */
export interface Served {
  /** True if the account has to see every bar. */
  readonly isActive: boolean;
  /** True if nothing of it is at a broker, or nothing that is to be closed. */
  readonly isDone: boolean;
}

/** Result for an account that is gone. */
export const GONE: Served = { isActive: false, isDone: true };

/** Bars simulate the fills of an account, or a broker reports them: what is read then, and what is booked. */
export interface Source {
  /** Returns the result for an account that has nothing to do, or that this run has no bars for. */
  readonly passes: (sub: AccountSub) => Served | undefined;
  /** Advances an account and books what it did. Returns undefined if more is to be done. */
  readonly attempt: (sub: AccountSub) => Promise<Served | undefined>;
  /** Takes over from an error what is other than assumed. Returns whether others have moved on, so that it may wait. */
  readonly learn: (error: unknown) => boolean;
  /** Returns the time of a failure. */
  readonly failsAt: () => number;
}

export interface ServeOptions {
  /** Stores the account even if it only moved on. */
  readonly save?: boolean | undefined;
  /** Lets the account follow what happened even if there is no bar to advance through. */
  readonly isCommanded?: boolean;
  /** Split after the last bar, at which the account is restated; for accounts on paper. */
  readonly split?: BookedSplit;
  /** Runs before an account with real orders that was not active becomes so. */
  readonly onActive?: () => Promise<void>;
}
