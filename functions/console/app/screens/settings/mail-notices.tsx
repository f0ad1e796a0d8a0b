import type { NotificationPreferences } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { When } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import type { Profile } from './profile.ts';
import { mailStopText, switchedOff } from './texts.ts';

interface MailNoticesProps {
  readonly profile: Pick<Profile, 'email' | 'email_verified'> | undefined;
  readonly groups: NotificationPreferences['groups'] | undefined;
}

/** Tells an owner which mail does not come, why, and how to get it again. */
export const MailNotices = ({ profile, groups = [] }: MailNoticesProps) => {
  const notices = useResource(
    (signal) =>
      hub.getDeploymentNotifications({ user_id: ME, kind: 'mail_stopped,mail_ended', size: 25 }, { signal }),
    [],
  );
  if (!profile || notices.isLoading) return null;
  const items = notices.value?.items ?? [];
  const stopped = items.find(({ kind }) => kind === 'mail_stopped');
  const ended = items.find(({ kind }) => kind === 'mail_ended');
  const names = switchedOff(ended?.data.groups, groups);
  return (
    <>
      {!profile.email_verified && (
        <Notice kind="warn">
          No notifications are mailed to {profile.email}: {mailStopText(stopped?.data.reason)}{' '}
          <a href="#/reset">Set a new password with a mailed code</a> in this browser to get mail.
        </Notice>
      )}
      {ended && names !== '' && (
        <Notice>
          Unsubscribing on <When at={ended.created_at} /> switched off mail about: {names}. Tick E-mail there
          and save to get it again.
        </Notice>
      )}
    </>
  );
};
