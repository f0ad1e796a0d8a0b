import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Credentials, credentialsSchema } from './credentials.ts';

export type MailStop = NonNullable<Credentials['mail_stopped']>;

/** Tells whether a report on a mail stops mail to an address: it is not stopped, and the mail is from after the last stop. */
export const isNewStop = ({ mail_stopped, mail_restored_at = 0 }: Credentials, sentAt: Date): boolean =>
  mail_stopped === undefined && mail_restored_at < sentAt.getTime();

/** Returns the write that stops mail to an address. Its condition is that of {@link isNewStop}. */
export const stoppedMailWrite = (
  { email, user_id }: { readonly email: string; readonly user_id: string },
  stop: MailStop,
  sentAt: Date,
): Write => ({
  key: keys.credentials(email),
  update: 'SET mail_stopped = :stop',
  condition:
    'user_id = :user AND attribute_not_exists(mail_stopped) AND (attribute_not_exists(mail_restored_at) OR mail_restored_at < :sent)',
  values: { ':stop': stop, ':sent': sentAt.getTime(), ':user': user_id },
});

/** Reads why no mail goes to an address; undefined if it does. */
export const findMailStop = async (store: Store, email: string): Promise<MailStop | undefined> =>
  (await store.get(keys.credentials(email), credentialsSchema))?.mail_stopped;
