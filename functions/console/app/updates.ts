import { effect, signal } from '@preact/signals';
import { pause } from '../../../infra/client/package/src/retry.ts';
import { hub, ME } from './hub.ts';
import { user } from './session.ts';
import { publishResync, publishUpdate } from './update-events.ts';
import { type LiveState, type TabMessage, UpdateTab } from './updates/tab.ts';

/** State of following the change events of the user. */
export const live = signal<LiveState>({ kind: 'off' });

/** Ends with the version of the messages: tabs with another one follow on their own. */
const NAME = 'strategy-hub-live-2';
/** Time that a hidden tab goes on, since people switch back and forth. */
const HIDDEN_MS = 30_000;
/** Longest wait for an answer: the service waits ten seconds. */
const TIMEOUT_MS = 20_000;

const MESSAGES: ReadonlySet<unknown> = new Set<TabMessage['kind']>(['heard', 'failed', 'lost']);

/** Tells whether something is a message of another tab, which may have an older version of the console. */
const isMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' && data !== null && 'kind' in data && MESSAGES.has(data.kind);

const channel = new BroadcastChannel(NAME);

const tab = new UpdateTab({
  read: (choice, abort) =>
    hub.getEvents({ user_id: ME, ...choice }, { signal: abort, maxRetries: 0, timeoutMs: TIMEOUT_MS }),
  pause,
  now: Date.now,
  random: Math.random,
  // Without a secure context there are no locks: each tab follows on its own.
  alone: async (work, abort) => {
    if ('locks' in navigator) await navigator.locks.request(NAME, { signal: abort }, work);
    else await work();
  },
  post: (message) => channel.postMessage(message),
  publish: publishUpdate,
  resync: publishResync,
  show: (state) => {
    live.value = state;
  },
});

channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isMessage(data)) tab.receive(data);
});

const isVisible = signal(!document.hidden);
const isOnline = signal(navigator.onLine);

let hiding: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (!document.hidden) isVisible.value = true;
  else {
    hiding = setTimeout(() => {
      isVisible.value = false;
    }, HIDDEN_MS);
  }
});

const noteNetwork = (): void => {
  isOnline.value = navigator.onLine;
};
addEventListener('online', noteNetwork);
addEventListener('offline', noteNetwork);

/** Follows the events of the user while somebody is signed in, online and looking. */
export const startUpdates = (): void => {
  let before: string | undefined;
  effect(() => {
    const userKey = user.value?.userKey;
    if (userKey !== before) tab.end();
    before = userKey;
    if (userKey === undefined) return;
    if (!isOnline.value) tab.rest('offline');
    else if (isVisible.value) tab.start();
    else tab.rest();
  });
};
