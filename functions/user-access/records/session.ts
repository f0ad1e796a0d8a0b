import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { REFRESH_S } from '../../../shared/data/users/sessions.ts';
import type { User } from '../../../shared/data/users/users.ts';

export const sessionOut = extensionRecord(
  'UserSession',
  z.object({
    session_id: z.string(),
    device: z.string().nullable(),
    place: z.string().nullable(),
    created_at: timestamp(),
    renewed_at: timestamp().nullable(),
    expires_at: timestamp(),
    is_current: z.boolean(),
    is_platform_token: z.boolean(),
  }),
);

type SessionOut = z.output<typeof sessionOut>;

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Lists what is signed in to an account: its sessions and the platform token, newest first, without expired ones. */
export const presentSessions = (
  { sessions, platform_token: token }: User,
  currentId: string,
  now: Date,
): SessionOut[] => {
  const all = [
    ...Object.entries(sessions).map(
      ([session_id, { device, place, generation, created_at, expires_at }]) => ({
        session_id,
        device: device ?? null,
        place: place ?? null,
        created_at,
        // A renewal sets the expiry.
        renewed_at: generation === 0 ? null : timeOf(expires_at - REFRESH_S),
        expires_at,
        is_platform_token: false,
      }),
    ),
    ...(token
      ? [
          {
            session_id: token.token_id,
            device: null,
            place: null,
            created_at: token.issued_at,
            renewed_at: null,
            expires_at: token.expires_at,
            is_platform_token: true,
          },
        ]
      : []),
  ];
  return all
    .filter(({ expires_at }) => expires_at * 1000 > now.getTime())
    .sort((left, right) => right.created_at - left.created_at)
    .map(({ created_at, expires_at, ...session }) => ({
      ...session,
      created_at: timeOf(created_at),
      expires_at: timeOf(expires_at),
      is_current: session.session_id === currentId,
    }));
};
