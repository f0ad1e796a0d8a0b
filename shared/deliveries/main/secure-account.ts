import { createHash } from 'node:crypto';
import { type Delivery, replaceDelivery } from '../../data/outbox/deliveries.ts';
import type { Message, MessageOf } from '../../data/outbox/messages.ts';
import { countProven } from '../../data/strategies/counts.ts';
import { findUser, type User } from '../../data/users/users.ts';
import { isProven } from '../../domain/proven.ts';
import { endRunning } from '../../lifecycle/end-grants.ts';
import { findGrants, type Grant } from '../../lifecycle/grants.ts';
import { endMadeBefore } from '../../lifecycle/made-before.ts';
import type { Runtime } from '../../runtime.ts';
import { RetryLaterError } from '../failures.ts';

const ID_LENGTH = 32;

const NAMES: Readonly<Record<Grant['kind'], string>> = {
  api_key: 'API key',
  webhook: 'webhook',
  signal_address: 'address for signals',
  execution_connection: 'account for orders',
  partner_connection: 'connection to partner C',
  broker: 'broker',
  deployment: 'deployment',
};

/** Names what goes on, a kind a line. */
const linesOf = (grants: readonly Grant[]): string[] => {
  const kinds = [...new Set(grants.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const names = grants.filter((grant) => grant.kind === kind).map(({ name }) => name);
    return `- ${names.length} × ${NAMES[kind]}`;
  });
};

type By = MessageOf<'account_secured'>['by'];

interface Text {
  readonly subject: string;
  readonly happened: string;
  /** Actions to take for an owner who did not do it; a new password by default. */
  readonly otherwise?: string;
  /** True to list what goes on. */
  readonly lists?: true;
  /** True to reach the owner by text message and push, too. */
  readonly everywhere?: true;
}

const REMOVE_FACTORS =
  'If this was not you, end all sessions in the settings and set a new password at once.';

const TEXTS: Readonly<Record<By, Text>> = {
  link: { subject: 'Your e-mail is confirmed', happened: 'Your e-mail is confirmed.', lists: true },
  session: {
    subject: 'Your e-mail is confirmed',
    happened: 'Your e-mail is confirmed. All other sessions, the platform token and API keys have ended.',
    lists: true,
  },
  mail: {
    subject: 'Your password was changed',
    happened:
      'A new password was set for your account with a mail to this address. All sessions, the platform token, API keys and all devices for push messages have ended.',
    lists: true,
    everywhere: true,
  },
  settings: {
    subject: 'Your password was changed',
    happened: 'The password of your account was changed in its settings.',
    lists: true,
  },
  grants: {
    subject: 'What acted for you has ended',
    happened:
      'You ended API keys, webhooks, addresses for signals, connections and deployments of your account. Positions at a broker stay open.',
    lists: true,
  },
  undo: {
    subject: 'Your e-mail is restored',
    happened:
      'A link undid the change of your e-mail: this address is that of your account again. The password, all sessions, the platform token, API keys and all devices for push messages have ended. Set a new password with a mailed code.',
    lists: true,
    everywhere: true,
  },
  identity: {
    subject: 'A sign-in was linked to your account',
    happened:
      'Somebody signed in with an identity provider that vouches for this address, for the first time. If your account has no password, new real deployments, resumes and connections wait for 24 hours.',
    otherwise:
      'If this was not you: secure this mailbox and your account at the provider, end all sessions in the settings, and set a new password with a mailed code.',
    everywhere: true,
  },
  phone: {
    subject: 'A phone number was verified',
    happened: 'A phone number was verified for your account. Text messages go there from now on.',
    otherwise:
      'If this was not you: end all sessions in the settings, set a new password with a mailed code, and verify your own number again.',
  },
  factor_added: {
    subject: 'A second factor was added',
    happened: 'A passkey or an authenticator app was added to your account.',
    otherwise: REMOVE_FACTORS,
  },
  factor_removed: {
    subject: 'A second factor was removed',
    happened: 'A passkey or the authenticator app was removed from your account.',
    otherwise: REMOVE_FACTORS,
  },
  recovery_codes: {
    subject: 'New recovery codes were made',
    happened: 'New recovery codes were made for your account. Those before are of no use any more.',
    otherwise: REMOVE_FACTORS,
  },
  recovery_code: {
    subject: 'A recovery code was used',
    happened:
      'A recovery code of your account was used. New real deployments, resumes and connections wait for 24 hours.',
    otherwise: REMOVE_FACTORS,
    everywhere: true,
  },
  factor_removal: {
    subject: 'Your second factors will be removed',
    happened:
      'Somebody who knows the password and got a code at this address asked to remove all second factors of your account. They end in 24 hours. New real deployments, resumes and connections then wait for 24 hours more.',
    otherwise:
      'If this was not you: sign in with a passkey, or keep the factors in the settings of any session, and set a new password at once.',
    everywhere: true,
  },
  factors_kept: {
    subject: 'Your second factors stay',
    happened: 'The request to remove the second factors of your account was ended.',
    otherwise: REMOVE_FACTORS,
    everywhere: true,
  },
  passkey_copied: {
    subject: 'A passkey may have been copied',
    happened:
      'A passkey of your account was refused, because it counted fewer uses than the hub has seen. Somebody may have copied it. Remove it in the settings if you do not know why.',
    otherwise: REMOVE_FACTORS,
  },
};

const textOf = ({ by, made_before }: MessageOf<'account_secured'>, grants: readonly Grant[]): string => {
  const { happened, lists, otherwise } = TEXTS[by];
  return [
    happened,
    ...(by === 'mail' && made_before === undefined
      ? ['New real deployments, resumes and connections wait for 24 hours.']
      : []),
    ...(made_before === undefined || by === 'grants'
      ? []
      : [
          'Deployments and deploy keys that were made in your account before have ended, too, because nobody knew whose they were.',
        ]),
    ...(!lists
      ? []
      : grants.length === 0
        ? ['Nothing else acts for you.']
        : [
            'This goes on:',
            ...linesOf(grants),
            'The settings of the app list it, and end it with one button.',
          ]),
    otherwise ?? 'If this was not you, ask for a code and set a new password at once.',
  ].join('\n');
};

/** Returns the messages to an owner: a mail, and for a recovery also a text message and a push. */
const messagesTo = (user: User, message: MessageOf<'account_secured'>, body: string): Message[] => {
  const { subject: title, happened, everywhere } = TEXTS[message.by];
  const isEverywhere = everywhere && message.made_before === undefined;
  const short = { title, body: happened };
  return [
    { kind: 'notification_mail', to: user.email, title, body, user_id: user.user_id, group: 'security' },
    ...(isEverywhere && user.ph_verified && user.ph_number !== undefined
      ? [{ kind: 'notification_sms' as const, to: user.ph_number, ...short }]
      : []),
    ...(isEverywhere
      ? [
          {
            kind: 'notification_push' as const,
            user_id: user.user_id,
            note: { ...short, data: {}, urgent: true },
          },
        ]
      : []),
  ];
};

const WAIT_MS = 60_000;

/**
 * Ends what was made in an account before its owner secured it, and mails the owner what ended and what goes on. Returns
 * whether the record must still be removed.
 */
export const secureAccount = async (
  runtime: Runtime,
  delivery: Delivery,
  message: MessageOf<'account_secured'>,
): Promise<boolean> => {
  const { store, clock } = runtime;
  const { user_id: userId, by, made_before: before } = message;
  if (by === 'grants') {
    const left = await endRunning(runtime, userId, before);
    if (left > 0) throw new RetryLaterError('deployments have to end first', WAIT_MS);
  } else if (before !== undefined) {
    await endMadeBefore(runtime, userId, { before, likes: by === 'mail' });
  }
  const user = await findUser(store, userId);
  if (!user) return true;
  // Likes and copies of an unproven account count for nobody.
  if (isProven(user)) await countProven(store, userId);
  const grants = TEXTS[by].lists ? await findGrants(store, user, clock()) : [];
  const replacements = messagesTo(user, message, textOf(message, grants)).map((each) => ({
    deliveryId: createHash('sha256')
      .update(JSON.stringify([delivery.delivery_id, each.kind]))
      .digest('base64url')
      .slice(0, ID_LENGTH),
    message: each,
  }));
  // The transaction that adds the messages removes the record.
  await replaceDelivery(store, delivery, replacements, clock());
  return false;
};
