import { effect, signal } from '@preact/signals';
import { hub, ME } from './hub.ts';
import { user } from './session.ts';
import { onResync, onUpdate } from './update-events.ts';

const REFRESH_MS = 60_000;
/** Collects the events of a moment into one request. */
const SETTLE_MS = 500;

/** Number of unread notifications; 0 until it is known. */
export const unread = signal(0);

/** Reads the number of unread notifications. It stays as it is if the service does not answer. */
export const reloadUnread = async (): Promise<void> => {
  try {
    unread.value = (await hub.getDeploymentNotifications({ user_id: ME, unread: true, size: 1 })).total;
  } catch {
    // The next event or interval tries again.
  }
};

/** Keeps the number of unread notifications up to date while a user is signed in and the page is visible. */
export const followUnread = (): void => {
  let settling: ReturnType<typeof setTimeout> | undefined;
  let owner: string | undefined;
  effect(() => {
    const userKey = user.value?.userKey;
    if (userKey !== owner) unread.value = 0;
    owner = userKey;
    if (userKey === undefined) return;
    void reloadUnread();
    const timer = setInterval(() => {
      if (!document.hidden) void reloadUnread();
    }, REFRESH_MS);
    const settle = (): void => {
      settling ??= setTimeout(() => {
        settling = undefined;
        void reloadUnread();
      }, SETTLE_MS);
    };
    const stops = [onUpdate(settle), onResync(settle)];
    return () => {
      clearInterval(timer);
      clearTimeout(settling);
      settling = undefined;
      for (const stop of stops) stop();
    };
  });
};
