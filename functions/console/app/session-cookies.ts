import { signal } from '@preact/signals';
import { HubApiError, newIdempotencyKey } from '../../../infra/client/package/src/index.ts';
import { publicHub } from './public-hub.ts';

/** Key of the time until which the session is valid, in milliseconds. The session itself is in cookies that scripts cannot read. */
const UNTIL = 'hub.session.until';
/** Key of the time of the last sign-in in this browser. */
const BEGUN = 'hub.session.begun';
/** Key of the Idempotency-Key of a renewal that has no answer yet. */
const RENEWAL = 'hub.session.renewal';
const LOCK = 'hub.session';
/** Renews a session this long before it expires. */
const EARLY_MS = 30_000;
const MAX_RETRIES = 2;
/** Statuses of a session that cannot be renewed. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Key of the reason for which this tab has reloaded, until it is shown. */
const ENDED = 'hub.session.ended';

/**
 * Reason for the end of a session, as far as the service tells it. `lost`: the browser has no cookies of it any more.
 * `refused`: it has expired, or was ended elsewhere. `other_tab`: it has ended in another tab. `other_user`: another user
 * has signed in.
 */
export type SessionEnd = 'lost' | 'refused' | 'other_tab' | 'other_user';

/** Reason for the end of the last session; undefined if its user signed out here, or there was none. */
export const sessionEnd = signal<SessionEnd | undefined>(undefined);

/** True once the service has refused the session. The next sign-in makes it false. */
export const isSessionOver = signal(false);

const untilOf = (): number | undefined => {
  const text = localStorage.getItem(UNTIL);
  return text === null ? undefined : Number(text);
};

/** Returns whether this browser has had a session that was not ended. */
export const hasSession = (): boolean => untilOf() !== undefined;

/** Facts that an answer tells about the session whose cookies it sets. */
interface SessionAnswer {
  readonly expires_in: number;
  /** Public key of the user. */
  readonly user_key: string;
}

/** Public key of the user whom this page shows; undefined while it is not known. */
let shownUser: string | undefined;

/** Notes the user whom this page shows. */
export const noteUser = (userKey: string): void => {
  shownUser = userKey;
};

/** Notes that this browser has the cookies of a session, and in how many seconds it expires. */
const noteExpiry = (seconds: number): void => {
  localStorage.setItem(UNTIL, String(Date.now() + seconds * 1000));
  isSessionOver.value = false;
  sessionEnd.value = undefined;
};

/** Notes that a user has signed in, perhaps another one than before. */
export const noteSignIn = (answer: SessionAnswer): void => {
  noteUser(answer.user_key);
  localStorage.setItem(BEGUN, String(Date.now()));
  noteExpiry(answer.expires_in);
};

/** Reloads the page when a user signs in or out in another tab, as it may be another user. */
export const followOtherTabs = (): void => {
  if (sessionStorage.getItem(ENDED) !== null) {
    sessionStorage.removeItem(ENDED);
    sessionEnd.value = 'other_tab';
  }
  const reload = (): void => {
    const hasEnded = shownUser !== undefined && localStorage.getItem(BEGUN) === null;
    if (hasEnded) sessionStorage.setItem(ENDED, 'yes');
    location.reload();
  };
  addEventListener('storage', ({ key }) => {
    if (key === BEGUN || key === null) reload();
  });
  // A page that the browser keeps for Back hears of nothing meanwhile.
  let begun: string | null = null;
  addEventListener('pagehide', () => {
    begun = localStorage.getItem(BEGUN);
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && localStorage.getItem(BEGUN) !== begun) reload();
  });
};

/** Notes that there is no session, and the reason if its user did not end it here. */
export const forgetSession = (why?: SessionEnd): void => {
  localStorage.removeItem(UNTIL);
  localStorage.removeItem(BEGUN);
  localStorage.removeItem(RENEWAL);
  shownUser = undefined;
  sessionEnd.value = why;
  isSessionOver.value = true;
};

/**
 * Looks for a session that another page of the service began, such as the sign-in of a broker. Only the service sees its
 * cookies.
 */
export const findSession = async (): Promise<boolean> => {
  const { has_session: isThere, expires_in } = await publicHub.sessionState({});
  if (isThere) noteExpiry(expires_in);
  return isThere;
};

/** Runs work in one tab at a time. Pages that were not loaded safely have no locks. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(LOCK, work) : work();

/**
 * Returns the Idempotency-Key of the renewal. It stays until an answer has arrived, also over a reload of the page:
 * a refresh token works once, and only with the same key is a lost answer given again. It is no credential.
 */
const renewalKey = (): string => {
  const key = localStorage.getItem(RENEWAL) ?? newIdempotencyKey();
  localStorage.setItem(RENEWAL, key);
  return key;
};

const renewNow = async (since: number): Promise<boolean> => {
  const until = untilOf();
  if (until === undefined) return false;
  // Another tab renewed the session in the meantime.
  if (until !== since && until - EARLY_MS > Date.now()) return true;
  try {
    const idempotencyKey = renewalKey();
    const answer = await publicHub.sessionRelogin({}, { maxRetries: MAX_RETRIES, idempotencyKey });
    // Another program of this browser has signed in another user. This page must not act for that one unseen.
    if (shownUser !== undefined && answer.user_key !== shownUser) {
      forgetSession('other_user');
      return false;
    }
    noteExpiry(answer.expires_in);
    localStorage.removeItem(RENEWAL);
    return true;
  } catch (error) {
    if (!(error instanceof HubApiError && REFUSED.has(error.status))) throw error;
    forgetSession(error.code === 'session_required' ? 'lost' : 'refused');
    return false;
  }
};

let renewing: Promise<boolean> | undefined;

/**
 * Renews the session, once for all requests and tabs.
 *
 * @returns whether there is a valid session now.
 */
export const renewSession = (): Promise<boolean> => {
  const since = untilOf() ?? 0;
  renewing ??= alone(() => renewNow(since)).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** Renews a session that expires soon, so that requests are not refused first. */
export const renewIfNeeded = async (): Promise<void> => {
  const until = untilOf();
  if (until !== undefined && until - EARLY_MS <= Date.now()) await renewSession();
};
