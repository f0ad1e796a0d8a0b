import * as z from 'zod';
import { authenticate } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer, record } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { sendAnalytics } from '../../shared/channels/analytics.ts';
import { UpstreamDownError } from '../../shared/channels/upstream.ts';
import { putInOutbox } from '../../shared/data/outbox/outbox.ts';
import { textId } from '../../shared/ids.ts';

/** Limits of the GA4 Measurement Protocol. */
const MAX_EVENTS = 25;
const MAX_PARAMS = 25;
const MAX_NAME = 40;
const MAX_BYTES = 130_000;

const consent = z.enum(['GRANTED', 'DENIED']);

const analyticsEvent = record(
  'AnalyticsEvent',
  z.strictObject({
    client_id: z.string().min(1).max(255),
    user_id: z.string().min(1).max(256).optional(),
    timestamp_micros: integer({ min: 0 }).optional(),
    user_properties: z.record(z.string(), z.unknown()).optional(),
    consent: z
      .object({ ad_user_data: consent.optional(), ad_personalization: consent.optional() })
      .optional(),
    events: z
      .array(
        z.object({
          name: z
            .string()
            .max(MAX_NAME)
            .regex(/^[A-Za-z][A-Za-z0-9_]*$/),
          params: z
            .record(z.string(), z.unknown())
            .refine((params) => Object.keys(params).length <= MAX_PARAMS, {
              error: `ensure this value has at most ${MAX_PARAMS} items`,
              params: { type: 'value_error.dict.max_items', limit_value: MAX_PARAMS },
            })
            .optional(),
        }),
      )
      .min(1)
      .max(MAX_EVENTS),
  }),
);

/** Returns the user that an event names, who must be the caller: nobody counts for another. @throws HubError */
const ownUserId = async (call: Call, named: string): Promise<string> => {
  const { user } = await authenticate(call, 'user', { user_id: named }, call, { now: call.now });
  return (await user()).user_id;
};

export const externalAnalysis = defineOperation({
  method: 'POST',
  path: '/api/external_analysis',
  name: 'external_analysis',
  summary: 'Forward an analytics event',
  description:
    'Forwards at once, or later if the analytics service is down. The server adds its own measurement id and secret. A `user_id` must be that of the caller, as in other operations; it is replaced by a pseudonym, because it is a credential. Without one, the event is anonymous.',
  caller: 'anyone',
  // GA4 counts the forwarded bytes; the request may have additional white space.
  limits: { body: 2 * MAX_BYTES },
  input: { json: analyticsEvent },
  output: z.object({ accepted: z.literal(true), forwarded: z.boolean() }),
  errors: ['upstream_failed', 'user_unknown', 'session_invalid', 'session_mismatch', 'session_required'],
  table: 'write',
  uses: ['analytics'],
  handler: async ({ json }, call) => {
    const { user_id: named, ...event } = json;
    const userId = named === undefined ? undefined : await ownUserId(call, named);
    const pseudonym = userId && (await call.keyRing()).mac('analytics-user', userId).toString('base64url');
    const payload = JSON.stringify({ ...event, ...(pseudonym && { user_id: pseudonym }) });
    if (Buffer.byteLength(payload) > MAX_BYTES) {
      const msg = `ensure this value has at most ${MAX_BYTES} bytes`;
      throw invalidValue(['body'], msg, 'value_error.size', { limit_value: MAX_BYTES });
    }
    try {
      if (await sendAnalytics(call, payload)) return { accepted: true, forwarded: true };
    } catch (error) {
      if (!(error instanceof UpstreamDownError)) throw error;
      await putInOutbox(call.store, textId(call.random), { kind: 'analytics', payload }, call.now);
      return { accepted: true, forwarded: false };
    }
    throw new HubError('upstream_failed', 'The analytics service refused the event.');
  },
});
