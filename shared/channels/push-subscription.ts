import * as z from 'zod';

/** Push subscription (RFC 8030) in the format of the browser's `PushSubscription.toJSON`. */
const subscriptionSchema = z.object({
  endpoint: z
    .url()
    // Allow plain HTTP only for loopback. The setting HUB_WEB_PUSH_REACH decides later whether it is used.
    .refine((text) => /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(text)),
  keys: z.object({
    /** Uncompressed point of P-256. */
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});

export type PushSubscription = z.output<typeof subscriptionSchema>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON, so a Firebase token, whose format is not specified.
  }
};

/** Tells whether a push key is a Web Push subscription, which is JSON. Any other key is a Firebase token. */
export const isSubscription = (key: string): boolean => {
  const value = parseJson(key);
  return typeof value === 'object' && value !== null;
};

/** Parses a Web Push subscription; undefined for any other push key. */
export const readSubscription = (key: string): PushSubscription | undefined =>
  subscriptionSchema.safeParse(parseJson(key)).data;
