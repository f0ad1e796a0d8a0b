import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { createAws } from '../../../infra/local/services/aws.ts';
import type { ServiceEvent } from '../../../infra/local/services/bus.ts';
import { loadKey } from '../../../infra/local/services/kms.ts';
import { createMessages, type Messages } from '../../../infra/local/services/messages.ts';
import { engineClient } from '../../support/engine.ts';

const version = (id: string) => ({ id, created_at: '2026-01-02T03:04:05.000Z', value: { master: id } });
const key = loadKey('alias/hub-local', undefined);
const secret = { versions: [version('new'), version('old')] };

let server: LocalServer;
let endpoint: string;
let messages: Messages;
let printed: string[];
let events: ServiceEvent[];

beforeAll(async () => {
  server = await openServer();
  endpoint = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  printed = [];
  messages = createMessages((line) => printed.push(line));
  events = [];
  const onServiceEvent = (event: ServiceEvent) => events.push(event);
  server.serve(createAws({ messages, secret: () => secret, secretId: 'hub/local', key, onServiceEvent }));
});

describe('mail', () => {
  const mail = (ToAddresses: string[], ConfigurationSetName?: string) =>
    new SESv2Client(engineClient(endpoint)).send(
      new SendEmailCommand({
        ConfigurationSetName,
        FromEmailAddress: 'Hub <no-reply@localhost>',
        Destination: { ToAddresses },
        Content: {
          Simple: { Subject: { Data: 'Your code' }, Body: { Text: { Data: 'It is 123456.\nBye' } } },
        },
      }),
    );

  it('sent with the SDK is printed and kept', async () => {
    expect((await mail(['ada@example.com'])).MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(messages.list()).toEqual([
      {
        kind: 'mail',
        at: expect.any(String),
        to: 'ada@example.com',
        subject: 'Your code',
        headers: {},
        text: 'It is 123456.\nBye',
      },
    ]);
    expect(printed).toEqual(['mail to ada@example.com: Your code\n  | It is 123456.\n  | Bye']);
  });

  it.each([
    ['bounce@simulator.amazonses.com', 'Email Bounced', 'bounce'],
    ['complaint+ada@simulator.amazonses.com', 'Email Complaint Received', 'complaint'],
  ])('to the simulator’s %s is reported as %s', async (to, detailType, part) => {
    await mail([to], 'strategy-hub-local');
    expect(messages.list()).toHaveLength(1);
    expect(events).toMatchObject([{ source: 'aws.ses', detailType, detail: { [part]: expect.anything() } }]);
    expect(JSON.stringify(events)).toContain(to);
  });

  it.each([
    ['with another configuration set', 'bounce@simulator.amazonses.com', 'other'],
    ['without a configuration set', 'bounce@simulator.amazonses.com', undefined],
    ['to another address', 'bounce@example.com', 'strategy-hub-local'],
  ])('%s is not reported', async (_, to, configurationSet) => {
    await mail([to], configurationSet);
    expect(events).toEqual([]);
  });

  it('without a destination is refused', async () => {
    await expect(mail([])).rejects.toMatchObject({ name: 'BadRequestException' });
    expect(messages.list()).toEqual([]);
  });
});

describe('text messages', () => {
  const text = (PhoneNumber: string) =>
    new SNSClient(engineClient(endpoint)).send(new PublishCommand({ PhoneNumber, Message: '1 & 2' }));

  it('sent with the SDK are printed and kept', async () => {
    expect((await text('+4915112345678')).MessageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(messages.list()).toMatchObject([{ kind: 'sms', to: '+4915112345678', text: '1 & 2' }]);
    expect(printed).toHaveLength(1);
  });

  it('to an invalid number are refused', async () => {
    await expect(text('12')).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});

describe('secrets', () => {
  const read = (SecretId: string, VersionStage?: string) =>
    new SecretsManagerClient(engineClient(endpoint)).send(
      new GetSecretValueCommand({ SecretId, ...(VersionStage && { VersionStage }) }),
    );

  it('are read with the SDK, by stage', async () => {
    expect(await read('hub/local')).toMatchObject({
      Name: 'hub/local',
      SecretString: '{"master":"new"}',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: new Date('2026-01-02T03:04:05.000Z'),
    });
    expect((await read('hub/local', 'AWSPREVIOUS')).SecretString).toBe('{"master":"old"}');
  });

  it('that do not exist are not found', async () => {
    await expect(read('hub/other')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(read('hub/local', 'AWSPENDING')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

describe('the challenge stand-in', () => {
  const verify = async (form: Record<string, string>): Promise<unknown> => {
    const body = new URLSearchParams(form);
    const response = await fetch(`${endpoint}/turnstile/v0/siteverify`, { method: 'POST', body });
    return response.json();
  };

  it('accepts one token', async () => {
    expect(await verify({ secret: 's', response: 'local-pass' })).toMatchObject({
      success: true,
      'error-codes': [],
      challenge_ts: expect.any(String),
      hostname: 'localhost',
    });
  });

  it.each<[Record<string, string>, string[]]>([
    [{ secret: 's', response: 'guess' }, ['invalid-input-response']],
    [{ secret: 's' }, ['missing-input-response']],
    [{ response: 'local-pass' }, ['missing-input-secret']],
  ])('refuses %j', async (form, codes) => {
    expect(await verify(form)).toEqual({
      success: false,
      'error-codes': codes,
    });
  });
});

describe('the analytics stand-in', () => {
  const collect = (query: string, body: unknown) =>
    fetch(`${endpoint}/mp/collect?${query}`, { method: 'POST', body: JSON.stringify(body) });

  it('keeps events and prints nothing', async () => {
    const events = [{ name: 'sign_up', params: { method: 'mail' } }];
    const response = await collect('measurement_id=G-1&api_secret=s', { client_id: 'c', events });
    expect(response.status).toBe(204);
    expect(messages.list()).toMatchObject([{ kind: 'analytics', to: 'G-1', subject: 'sign_up' }]);
    expect(printed).toEqual([]);
  });

  it('answers 204 to invalid events and keeps none of them', async () => {
    expect((await collect('', { events: [{ name: 'a' }] })).status).toBe(204);
    expect((await collect('measurement_id=G-1&api_secret=s', 'x')).status).toBe(204);
    expect(messages.list()).toEqual([]);
  });
});

it('refuses every other service', async () => {
  const response = await fetch(`${endpoint}/`, {
    method: 'POST',
    headers: { 'x-amz-target': 'kms.Decrypt' },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ __type: 'UnknownOperationException' });
});
