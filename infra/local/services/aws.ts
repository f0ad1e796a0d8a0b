import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as z from 'zod';
import { ACCOUNT } from '../account.ts';
import { readBody, sendJson } from '../gateway/server.ts';
import { AwsError, awsTarget, readAwsJson, sendAwsJson, sendFailure } from './aws-protocol.ts';
import type { ServiceEvent } from './bus.ts';
import { createFirebase, type Firebase } from './firebase.ts';
import { decrypt, decryptInput, generateDataKey, generateDataKeyInput, type LocalKey } from './kms.ts';
import { simulatedEvents } from './mail-simulator.ts';
import type { Messages } from './messages.ts';
import { PUSH_PATH, type PushService } from './push-service.ts';
import { type Queues, SEND_MESSAGES } from './queues.ts';
import type { LocalSecret } from './secrets.ts';
import { answerAnalytics, answerChallenge } from './stand-ins.ts';

export interface AwsOptions {
  readonly messages: Messages;
  /** Secrets of the service. They may be rotated. */
  readonly secret: () => LocalSecret;
  readonly secretId: string;
  /** Second secret, with the password of the probe user; undefined if there is none. */
  readonly probeSecretId?: string;
  /** The only key in KMS. */
  readonly key: LocalKey;
  /** Queues of SQS; undefined if there are none. */
  readonly queues?: Pick<Queues, 'answerSend'>;
  /** Takes an event that a service puts on the bus. */
  readonly onServiceEvent?: (event: ServiceEvent) => void;
  /** Push service; undefined disables web push. */
  readonly pushService?: PushService;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;

const text = z.object({ Data: z.string() });
const email = z.object({
  FromEmailAddress: z.string().min(1),
  ConfigurationSetName: z.string().optional(),
  Destination: z.object({
    ToAddresses: z.array(z.string()).default([]),
    CcAddresses: z.array(z.string()).default([]),
    BccAddresses: z.array(z.string()).default([]),
  }),
  Content: z.object({
    Simple: z.object({
      Subject: text,
      Body: z
        .object({ Text: text.optional(), Html: text.optional() })
        .refine(({ Text, Html }) => Text ?? Html, 'the body is empty'),
      Headers: z.array(z.object({ Name: z.string().min(1), Value: z.string().min(1) })).default([]),
    }),
  }),
});

const sendEmail = async (
  request: IncomingMessage,
  response: ServerResponse,
  { messages, onServiceEvent }: AwsOptions,
) => {
  const mail = await readAwsJson(request, email, MAX_BODY_BYTES);
  const { FromEmailAddress: from, ConfigurationSetName: configurationSet, Destination, Content } = mail;
  const to = [...Destination.ToAddresses, ...Destination.CcAddresses, ...Destination.BccAddresses];
  if (to.length === 0) throw new AwsError('BadRequestException', 'There is no destination');
  const { Subject, Body, Headers } = Content.Simple;
  messages.add({
    kind: 'mail',
    to: to.join(', '),
    subject: Subject.Data,
    text: Body.Text?.Data ?? Body.Html?.Data ?? '',
    headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
  });
  const messageId = randomUUID();
  const events = simulatedEvents({ messageId, from, to, configurationSet, at: new Date() });
  for (const event of events) onServiceEvent?.(event);
  sendJson(response, 200, { MessageId: messageId });
};

/** Answers GetAccount of SES with the quota of an account that has left the sandbox. */
const answerMailAccount = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  sendJson(response, 200, { SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 } });
};

const sendXml = (response: ServerResponse, status: number, xml: string): void => {
  response.writeHead(status, { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(xml) });
  response.end(xml);
};

const snsError = (response: ServerResponse, code: string, message: string): void =>
  sendXml(
    response,
    400,
    `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );

/** Implements SNS for text messages, in the AWS query protocol. */
const publish = async (request: IncomingMessage, response: ServerResponse, messages: Messages) => {
  const form = new URLSearchParams((await readBody(request, MAX_BODY_BYTES)).toString('utf8'));
  if (form.get('Action') !== 'Publish')
    return snsError(response, 'InvalidAction', 'Only Publish is supported');
  const to = form.get('PhoneNumber') ?? '';
  const message = form.get('Message') ?? '';
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    return snsError(response, 'InvalidParameter', 'Invalid parameter: PhoneNumber');
  }
  if (message === '') return snsError(response, 'InvalidParameter', 'Invalid parameter: Empty message');
  messages.add({ kind: 'sms', to, subject: '', text: message });
  return sendXml(
    response,
    200,
    `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${randomUUID()}</MessageId></PublishResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></PublishResponse>`,
  );
};

const STAGES: readonly string[] = ['AWSCURRENT', 'AWSPREVIOUS'];
const secretValue = z.object({ SecretId: z.string(), VersionStage: z.string().default('AWSCURRENT') });

const getSecretValue = async (
  request: IncomingMessage,
  response: ServerResponse,
  { secret, secretId, probeSecretId }: AwsOptions,
) => {
  const { SecretId, VersionStage } = await readAwsJson(request, secretValue, MAX_BODY_BYTES);
  const isProbe = SecretId === probeSecretId;
  const arn = `arn:aws:secretsmanager:local:${ACCOUNT}:secret:${isProbe ? probeSecretId : secretId}`;
  const isKnown = isProbe || SecretId === secretId || SecretId === arn;
  const version = isKnown ? secret().versions[STAGES.indexOf(VersionStage)] : undefined;
  if (!version) {
    const what = isKnown ? ` value for staging label: ${VersionStage}` : '.';
    const message = `Secrets Manager can't find the specified secret${what}`;
    throw new AwsError('ResourceNotFoundException', message);
  }
  sendAwsJson(response, {
    ARN: arn,
    Name: isProbe ? probeSecretId : secretId,
    CreatedDate: Date.parse(version.created_at) / 1000,
    VersionId: version.id,
    VersionStages: [VersionStage],
    SecretString: JSON.stringify(isProbe ? { probe_password: version.value.probe_password } : version.value),
  });
};

const FCM_PATH = /^\/v1\/projects\/([\w.:-]+)\/messages:send$/;

const route = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: AwsOptions,
  firebase: Firebase,
) => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const form = String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const project = FCM_PATH.exec(path)?.[1];
  if (request.method === 'POST' && project !== undefined) {
    return firebase.answerSend(request, response, project);
  }
  if (request.method === 'POST' && path.startsWith(PUSH_PATH) && options.pushService) {
    return options.pushService.answer(request, response, path.slice(PUSH_PATH.length));
  }
  switch (`${request.method} ${path}`) {
    case 'POST /oauth2/token':
      return firebase.answerToken(request, response);
    case 'POST /v2/email/outbound-emails':
      return sendEmail(request, response, options);
    case 'GET /v2/email/account':
      return answerMailAccount(request, response);
    case 'POST /turnstile/v0/siteverify':
      return answerChallenge(request, response);
    case 'POST /mp/collect':
      return answerAnalytics(request, response, new URLSearchParams(query), options.messages);
    case 'POST /':
      if (awsTarget(request) === 'secretsmanager.GetSecretValue') {
        return getSecretValue(request, response, options);
      }
      if (awsTarget(request) === SEND_MESSAGES && options.queues) {
        return options.queues.answerSend(request, response);
      }
      if (awsTarget(request) === 'TrentService.GenerateDataKey') {
        const asked = await readAwsJson(request, generateDataKeyInput, MAX_BODY_BYTES);
        return sendAwsJson(response, generateDataKey(options.key, asked));
      }
      if (awsTarget(request) === 'TrentService.Decrypt') {
        const asked = await readAwsJson(request, decryptInput, MAX_BODY_BYTES);
        return sendAwsJson(response, decrypt(options.key, asked));
      }
      if (form) return publish(request, response, options.messages);
  }
  request.resume();
  throw new AwsError('UnknownOperationException', `${request.method} ${path} is not supported`);
};

/**
 * Serves the AWS operations that the functions call (SES v2, SNS, SQS, Secrets Manager, KMS) and stand-ins for other external
 * services, at one address.
 */
export const createAws = (options: AwsOptions): RequestListener => {
  const { secret, messages } = options;
  const firebase = createFirebase(() => secret().versions[0]?.value.fcm_service_account ?? '', messages);
  return (request, response) => {
    route(request, response, options, firebase).catch((error: unknown) =>
      sendFailure(response, error, 'InternalFailure'),
    );
  };
};
