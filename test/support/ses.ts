import { deliverRecords } from '../../shared/deliveries/batch.ts';
import { deliverBulk } from '../../shared/deliveries/bulk/deliver-bulk.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import type { TestHub } from './hub.ts';
import { outbox } from './people.ts';
import { json, startUpstream, type Upstream } from './upstream.ts';

/** Mail as SES receives it. */
export interface SentMail {
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly Content: {
    readonly Simple: {
      readonly Subject: { readonly Data: string };
      readonly Body: { readonly Text: { readonly Data: string } };
      readonly Headers: readonly { readonly Name: string; readonly Value: string }[];
    };
  };
}

/** Starts a server that takes mails in place of SES. Call before the first mail of a test file. */
export const startSes = async (): Promise<Upstream> => {
  const ses = await startUpstream(json({ MessageId: 'm-1' }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_SESV2: ses.url,
  });
  return ses;
};

/** Returns the mails that wait in the outbox. */
export const waitingMails = async (hub: TestHub) =>
  (await outbox(hub)).filter(({ message }) => message?.kind.endsWith('_mail'));

/** Makes an attempt at every mail of the outbox, and returns those that SES received. */
export const deliverMails = async (hub: TestHub, ses: Upstream): Promise<SentMail[]> => {
  const mails = await waitingMails(hub);
  ses.received.length = 0;
  for (const { delivery_id, attempts, message } of mails) {
    const Records = [{ messageId: delivery_id, body: JSON.stringify({ delivery_id, attempts }) }];
    const isBulk = message?.kind === 'notification_mail' || message?.kind === 'unsubscribe_mail';
    const deliverMail = isBulk ? deliverBulk : deliver;
    await deliverRecords(deliverMail, hub.runtime, { Records });
  }
  return ses.received.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []));
};

/** Returns a header of a mail. */
export const headerOf = ({ Content }: SentMail, name: string): string | undefined =>
  Content.Simple.Headers.find(({ Name }) => Name === name)?.Value;
