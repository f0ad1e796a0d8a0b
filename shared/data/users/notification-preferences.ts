import type { NotificationPreferences } from '../../domain/deployments/notification-preferences.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import type { User } from './users.ts';

/**
 * Returns the write of changed preferences. Its condition fails if they changed since the user was read.
 *
 * @param after made by spreading what was read, which keeps the fields of a newer version.
 */
export const preferencesWrite = (
  { user_id, notification_preferences: before }: Pick<User, 'user_id' | 'notification_preferences'>,
  after: Omit<NotificationPreferences, 'rev'>,
): Write => ({
  key: keys.user(user_id),
  set: { notification_preferences: { ...after, rev: (before?.rev ?? 0) + 1 } },
  if: before
    ? { condition: 'notification_preferences.rev = :rev', values: { ':rev': before.rev } }
    : { condition: 'attribute_exists(pk) AND attribute_not_exists(notification_preferences)' },
});
