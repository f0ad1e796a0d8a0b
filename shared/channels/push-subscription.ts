import * as z from 'zod';

/** RFC 8030's subscription, as a browser's `PushSubscription.toJSON` writes it. */
const subscriptionSchema = z.object({
  endpoint: z
    .url()
    // Plain HTTP never leaves the machine; whether it may at all is a setting.
    .refine((text) => /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(text)),
  keys: z.object({
    /** An uncompressed point of P-256. */
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});

export type PushSubscription = z.output<typeof subscriptionSchema>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: a token of Firebase, which has no form that is promised.
  }
};

/** Whether a push key is meant as a Web Push subscription: as JSON. Any other is a token of Firebase. */
export const isSubscription = (key: string): boolean => {
  const value = parseJson(key);
  return typeof value === 'object' && value !== null;
};

/** Reads a Web Push subscription; undefined where the push key is none. */
export const readSubscription = (key: string): PushSubscription | undefined =>
  subscriptionSchema.safeParse(parseJson(key)).data;
