/** Way to make the one address of a script that the page's policy allows. Browsers without trusted types have none. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

const WORKER = 'console/worker.js';
const FIXED = { createScriptURL: () => WORKER };

let workerAddress: string | undefined;

/** Returns the address of the worker. The policy of this name is made once. */
const addressOfWorker = (): string => {
  workerAddress ??= (window.trustedTypes?.createPolicy('console-worker', FIXED) ?? FIXED).createScriptURL(
    WORKER,
  );
  return workerAddress;
};

const UNTIL_ACTIVE_MS = 10_000;

/** Waits until a worker can get messages. */
const active = async (registration: ServiceWorkerRegistration): Promise<void> => {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new PushError('not-started')), UNTIL_ACTIVE_MS);
    worker.addEventListener('statechange', () => {
      if (worker.state !== 'activated') return;
      clearTimeout(timer);
      resolve();
    });
  });
};

/** Reason for which a browser cannot be registered. */
export type PushReason = 'denied' | 'dismissed' | 'no-service' | 'not-started';

/** The browser did not allow push messages, or cannot get them. */
export class PushError extends Error {
  readonly reason: PushReason;

  constructor(reason: PushReason, options?: ErrorOptions) {
    super(`no push messages: ${reason}`, options);
    this.reason = reason;
  }
}

/** Tells what a browser can do. */
export const pushSupport = (): 'insecure' | 'unsupported' | 'denied' | 'possible' => {
  if (!window.isSecureContext) return 'insecure';
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isSupported) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
};

/** Returns the subscription of this browser. */
const subscriptionHere = async (): Promise<PushSubscription | undefined> => {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? undefined;
};

/** Returns the push key of this browser; undefined without a subscription. */
export const pushKeyHere = async (): Promise<string | undefined> => {
  if (!['possible', 'denied'].includes(pushSupport())) return undefined;
  const subscription = await subscriptionHere();
  return subscription && JSON.stringify(subscription);
};

const bytesOf = (key: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/**
 * Asks for the permission and subscribes this browser. Call it after a click only.
 *
 * @param vapidPublicKey key of the service in base64url.
 * @returns the push key to register.
 * @throws PushError
 */
export const subscribeHere = async (vapidPublicKey: string): Promise<string> => {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new PushError(permission === 'denied' ? 'denied' : 'dismissed');
  const registration = await navigator.serviceWorker.register(addressOfWorker(), { updateViaCache: 'none' });
  await active(registration);
  try {
    // A subscription for another key of the service would be kept.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(vapidPublicKey),
    });
    return JSON.stringify(subscription);
  } catch (cause) {
    throw new PushError('no-service', { cause });
  }
};

/** Ends the subscription of this browser. Its push service then refuses further messages. */
export const unsubscribeHere = async (): Promise<void> => {
  await (await subscriptionHere())?.unsubscribe();
};
