import * as z from 'zod';
import { extensionRecord, timestamp } from '../../shared/api/fields.ts';
import type { PushDevice } from '../../shared/data/push-registrations.ts';

const MAX_PUSH_KEY = 4096;

/** RFC 8030's subscription, as a browser's `PushSubscription.toJSON` writes it. */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https$/ }),
  keys: z.object({
    /** An uncompressed point of P-256. */
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: a token of Firebase, which has no form that is promised.
  }
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What addresses a device: a Firebase registration token, or a Web Push subscription as JSON. */
export const pushKey = z
  .string()
  .min(1)
  .max(MAX_PUSH_KEY)
  .refine((text) => !isObject(parseJson(text)) || subscription.safeParse(parseJson(text)).success, {
    error: 'value is not a push subscription with an https endpoint and keys',
    params: { type: 'value_error.push_subscription' },
  })
  .meta({ description: 'A Firebase registration token, or a Web Push subscription as JSON' });

/** The kind of a push key that was checked. */
export const kindOf = (key: string): PushDevice['kind'] => (isObject(parseJson(key)) ? 'web_push' : 'fcm');

export const pushRegistration = extensionRecord(
  'PushRegistration',
  z.object({
    push_key: z.string(),
    kind: z.enum(['fcm', 'web_push']),
    registered_at: timestamp(),
    last_seen_at: timestamp(),
  }),
);
