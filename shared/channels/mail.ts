import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { awsClient } from '../aws-client.ts';
import type { Runtime } from '../runtime.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a repeat can be detected. */
  readonly deliveryId: string;
  /** Address that stops mails of this kind; undefined for mails that cannot be stopped. */
  readonly unsubscribeUrl?: string | undefined;
}

/** Headers by which mail programs offer to stop mails of a kind with one click (RFC 2369, RFC 8058). SES signs them. */
const unsubscribeHeaders = (url: string) => [
  { Name: 'List-Unsubscribe', Value: `<${url}>` },
  { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
];

let client: SESv2Client | undefined;

/** Sends an e-mail with SES. @throws Error of the SDK. */
export const sendMail = async (runtime: Runtime, mail: Mail): Promise<void> => {
  client ??= awsClient(SESv2Client, 'mail');
  const { HUB_MAIL_FROM, HUB_MAIL_CONFIGURATION_SET } = runtime.capability('mail');
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: HUB_MAIL_FROM,
      ...(HUB_MAIL_CONFIGURATION_SET !== '' && { ConfigurationSetName: HUB_MAIL_CONFIGURATION_SET }),
      Destination: { ToAddresses: [mail.to] },
      Content: {
        Simple: {
          Subject: { Data: mail.subject, Charset: 'UTF-8' },
          Body: { Text: { Data: mail.text, Charset: 'UTF-8' } },
          Headers: [
            { Name: 'X-Delivery-Id', Value: mail.deliveryId },
            ...(mail.unsubscribeUrl === undefined ? [] : unsubscribeHeaders(mail.unsubscribeUrl)),
          ],
        },
      },
    }),
  );
};
