import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageOf, pageQuery } from '../../shared/api/pages.ts';
import { ownSession } from '../../shared/callers/open-session.ts';
import { findSecurityEvents, SECURITY_EVENTS } from '../../shared/data/users/security-events.ts';

const securityEvent = extensionRecord(
  'SecurityEvent',
  z.object({
    kind: z.enum(SECURITY_EVENTS),
    first_at: timestamp(),
    last_at: timestamp(),
    count: integer({ min: 1 }),
    device: z.string().nullable(),
    place: z.string().nullable(),
    detail: z.string().nullable(),
  }),
);

export const getSecurityEvents = defineOperation({
  method: 'GET',
  path: '/get_security_events',
  name: 'get_security_events',
  summary: 'List what happened to the access of an account',
  description:
    'Sign-ins by device and network, failed ones, new passwords, what was connected and what ended, and refused signals, the last first. Events of a kind are counted by day (UTC), so strangers cannot flood the list. The newest 500 of 400 days. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...pageQuery }) },
  output: pageOf('SecurityEvents', securityEvent),
  errors: ['platform_token_insufficient'],
  table: 'read',
  handler: async ({ query: { user_id: _, ...choice } }, call) => {
    ownSession(call, 'shows no security events');
    const { user_id: userId } = await call.user();
    const events = await findSecurityEvents(call.store, userId, call.onDamaged);
    return cutPage(
      events.map((event) => ({
        ...event,
        device: event.device ?? null,
        place: event.place ?? null,
        detail: event.detail ?? null,
      })),
      choice,
    );
  },
});
