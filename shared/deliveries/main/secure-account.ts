import { createHash } from 'node:crypto';
import { type Delivery, replaceDelivery } from '../../data/outbox/deliveries.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { countProven } from '../../data/strategies/counts.ts';
import { findUser } from '../../data/users/users.ts';
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

const SUBJECTS = {
  session: 'Your e-mail is confirmed',
  link: 'Your e-mail is confirmed',
  mail: 'Your password was changed',
  settings: 'Your password was changed',
  grants: 'What acted for you has ended',
  undo: 'Your e-mail is restored',
} as const;

const HAPPENED = {
  link: 'Your e-mail is confirmed.',
  session: 'Your e-mail is confirmed. All other sessions, the platform token and API keys have ended.',
  mail: 'A new password was set for your account with a mail to this address. All sessions, the platform token, API keys and all devices for push messages have ended.',
  settings: 'The password of your account was changed in its settings.',
  undo: 'A link undid the change of your e-mail: this address is that of your account again. The password, all sessions, the platform token, API keys and all devices for push messages have ended. Set a new password with a mailed code.',
  grants:
    'You ended API keys, webhooks, addresses for signals, connections and deployments of your account. Positions at a broker stay open.',
} as const;

const textOf = ({ by, made_before }: MessageOf<'account_secured'>, grants: readonly Grant[]): string =>
  [
    HAPPENED[by],
    ...(made_before === undefined || by === 'grants'
      ? []
      : [
          'Deployments and deploy keys that were made in your account before have ended, too, because nobody knew whose they were.',
        ]),
    ...(grants.length === 0
      ? ['Nothing else acts for you.']
      : [
          'This goes on:',
          ...linesOf(grants),
          'The settings of the app list it, and end it with one button.',
        ]),
    'If this was not you, ask for a code and set a new password at once.',
  ].join('\n');

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
  const mail = {
    kind: 'notification_mail' as const,
    to: user.email,
    title: SUBJECTS[by],
    body: textOf(message, await findGrants(store, user, clock())),
    user_id: userId,
    group: 'security',
  };
  const deliveryId = createHash('sha256')
    .update(JSON.stringify([delivery.delivery_id, 'mail']))
    .digest('base64url')
    .slice(0, ID_LENGTH);
  // The transaction that adds the mail removes the record.
  await replaceDelivery(store, delivery, [{ deliveryId, message: mail }], clock());
  return false;
};
