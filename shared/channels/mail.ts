import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { awsClient } from '../aws-client.ts';
import type { Runtime } from '../runtime.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a repeat can be detected. */
  readonly deliveryId: string;
}

let client: SESv2Client | undefined;

/** Sends an e-mail with SES. @throws Error of the SDK. */
export const sendMail = async (runtime: Runtime, mail: Mail): Promise<void> => {
  client ??= awsClient(SESv2Client, 'mail');
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: runtime.capability('mail').HUB_MAIL_FROM,
      Destination: { ToAddresses: [mail.to] },
      Content: {
        Simple: {
          Subject: { Data: mail.subject, Charset: 'UTF-8' },
          Body: { Text: { Data: mail.text, Charset: 'UTF-8' } },
          Headers: [{ Name: 'X-Delivery-Id', Value: mail.deliveryId }],
        },
      },
    }),
  );
};
