import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
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

/**
 * Headers by which mail programs offer to stop mails of a kind with one click (RFC 2369, RFC 8058). RFC 8058 asks for a DKIM
 * signature of both; AWS does not document which headers SES signs.
 */
const unsubscribeHeaders = (url: string) => [
  { Name: 'List-Unsubscribe', Value: `<${url}>` },
  { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
];

/** Mails of the account in any 24 hours. */
export interface MailQuota {
  readonly max: number;
  readonly sent: number;
}

/** SES takes no mail of the account for now: the daily quota or the rate is used up, or sending is paused. */
export class MailHeldError extends Error {
  constructor(cause: Error) {
    super(`SES takes no mail for now: ${cause.name}`, { cause });
    this.name = 'MailHeldError';
  }
}

const HELD = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'LimitExceededException',
  'SendingPausedException',
  'AccountSuspendedException',
]);

/** SES has named the error differently over time, but not its sentence. */
const isHeld = (error: unknown): error is Error =>
  error instanceof Error &&
  (HELD.has(error.name) || /daily message quota exceeded|maximum sending rate exceeded/i.test(error.message));

let client: SESv2Client | undefined;

const ses = (): SESv2Client => {
  client ??= awsClient(SESv2Client, 'mail');
  return client;
};

/** Reads the daily quota of the account and its use; undefined if there is no limit. @throws Error of the SDK. */
export const readMailQuota = async (): Promise<MailQuota | undefined> => {
  const { SendQuota } = await ses().send(new GetAccountCommand({}));
  const { Max24HourSend: max = -1, SentLast24Hours: sent = 0 } = SendQuota ?? {};
  return max < 0 ? undefined : { max, sent };
};

/** Sends an e-mail with SES. @throws MailHeldError, Error of the SDK. */
export const sendMail = async (runtime: Runtime, mail: Mail): Promise<void> => {
  const { HUB_MAIL_FROM, HUB_MAIL_CONFIGURATION_SET } = runtime.capability('mail');
  const command = new SendEmailCommand({
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
  });
  try {
    await ses().send(command);
  } catch (error) {
    throw isHeld(error) ? new MailHeldError(error) : error;
  }
};
