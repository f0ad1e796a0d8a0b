import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { isSubscription, readSubscription } from '../../../shared/channels/push-subscription.ts';
import type { PushDevice } from '../../../shared/data/users/push-registrations.ts';
import type { Runtime } from '../../../shared/runtime.ts';

const MAX_PUSH_KEY = 4096;
const NO_SUBSCRIPTION = {
  msg: 'value is not a push subscription with an https endpoint and keys',
  type: 'value_error.push_subscription',
};

/** Address of a device: a Firebase registration token, or a Web Push subscription as JSON. */
export const pushKey = z
  .string()
  .min(1)
  .max(MAX_PUSH_KEY)
  .refine((text) => !isSubscription(text) || readSubscription(text) !== undefined, {
    error: NO_SUBSCRIPTION.msg,
    params: { type: NO_SUBSCRIPTION.type },
  });

/**
 * Returns the kind of a checked push key.
 *
 * @throws ValidationError for a subscription without TLS, unless the push service is on this machine
 */
export const kindOf = ({ capability }: Pick<Runtime, 'capability'>, key: string): PushDevice['kind'] => {
  const subscription = readSubscription(key);
  if (!subscription) return 'fcm';
  const { HUB_WEB_PUSH_REACH: reach } = capability('push');
  if (reach === 'internet' && !subscription.endpoint.startsWith('https:')) {
    throw invalidValue(['query', 'push_key'], NO_SUBSCRIPTION.msg, NO_SUBSCRIPTION.type);
  }
  return 'web_push';
};

export const pushRegistration = extensionRecord(
  'PushRegistration',
  z.object({
    push_key: z.string(),
    kind: z.enum(['fcm', 'web_push']),
    registered_at: timestamp(),
    last_seen_at: timestamp(),
  }),
);
