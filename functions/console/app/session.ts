import { effect, signal } from '@preact/signals';
import {
  HubAuthenticationError,
  type RegisterLoginInput,
  type UserCustomOut,
} from '../../../infra/client/package/src/index.ts';
import { hub, ME } from './hub.ts';
import { publicHub } from './public-hub.ts';
import {
  findSession,
  forgetSession,
  hasSession,
  isSessionOver,
  noteSignIn,
  noteUser,
  sessionEnd,
} from './session-cookies.ts';

/** Signed-in user, without the secrets of the answer. */
export interface User {
  readonly userKey: string;
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified: boolean;
}

/** Signed-in user; null without one, undefined while it is not known. */
export const user = signal<User | null | undefined>(undefined);

effect(() => {
  if (isSessionOver.value) user.value = null;
});

const userOf = ({ user_key, email, name, email_verified }: UserCustomOut): User => ({
  userKey: user_key,
  email,
  name,
  isEmailVerified: email_verified,
});

const signedIn = (answer: UserCustomOut): void => {
  noteSignIn(answer);
  user.value = userOf(answer);
};

/** Reads the user of the session that an earlier visit or another page of the service began. */
export const resumeSession = async (): Promise<void> => {
  if (!hasSession() && !(await findSession())) {
    user.value = null;
    return;
  }
  try {
    const resumed = userOf(await hub.verifyUser({}));
    noteUser(resumed.userKey);
    user.value = resumed;
  } catch (error) {
    if (!(error instanceof HubAuthenticationError)) throw error;
    forgetSession(sessionEnd.value ?? 'refused');
  }
};

/** Begins a session with a password. */
export const signIn = async (email: string, password: string): Promise<void> =>
  signedIn(await publicHub.login({ body: { username: email, password } }));

/** Begins a session with a passkey. */
export const signInWithPasskey = async (): Promise<void> => {
  const { usePasskey } = await import('./passkeys.ts');
  const { options } = await publicHub.passkeyOptions({ body: { for: 'sign_in' } });
  signedIn(await publicHub.signInPasskey({ body: { passkey: await usePasskey(options) } }));
};

/** Registers a user and begins a session. */
export const register = async (body: RegisterLoginInput['body']): Promise<void> =>
  signedIn(await publicHub.registerLogin({ body }));

/** Confirms the e-mail with the code of a mail. */
export const confirmEmail = async (code: string): Promise<void> => {
  await hub.confirmEmail({ user_id: ME, body: { code } });
  if (user.value) user.value = { ...user.value, isEmailVerified: true };
};

/** Shows another e-mail of the user, which the service has taken. */
export const noteEmail = (email: string): void => {
  if (user.value) user.value = { ...user.value, email };
};

const endSession = async (): Promise<void> => {
  try {
    await hub.sessionLogout();
  } catch (error) {
    // The session has ended already.
    if (!(error instanceof HubAuthenticationError)) throw error;
  }
  forgetSession();
};

/** Ends the push messages of this browser, so that it shows the next person nothing of this user. */
const endPush = async (): Promise<void> => {
  // Without a worker there is no subscription, and the code for it is not needed.
  if (!('serviceWorker' in navigator) || !(await navigator.serviceWorker.getRegistration('console/'))) return;
  const { pushKeyHere, unsubscribeHere } = await import('./push.ts');
  const push_key = await pushKeyHere();
  if (push_key === undefined) return;
  await unsubscribeHere();
  await hub.removePushToken({ user_id: ME, body: { push_key } });
};

/** Ends the session and the push messages of this browser. The session ends also if the messages cannot be ended. */
export const signOut = async (): Promise<void> => {
  try {
    await endPush();
  } finally {
    await endSession();
  }
};
