import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  HubWebhookError,
  isChange,
  verifyWebhook,
  type WebhookRequest,
} from '../../../infra/client/package/src/index.ts';

const KEY = Buffer.from('a key of thirty-two bytes, or so');
const SECRET = `whsec_${KEY.toString('base64')}`;
const NOW = Date.parse('2026-03-02T10:00:00Z');
const EVENT = {
  type: 'order.filled',
  timestamp: '2026-03-02T10:00:00.000Z',
  deployment_id: 7,
  sequence: 3,
  data: { average_price: 231.5, symbol: 'AAPL', note: 'Zürich' },
};

const signed = ({
  body = JSON.stringify(EVENT),
  id = 'evt_1',
  at = NOW / 1000,
  key = KEY,
}: {
  body?: string;
  id?: string;
  at?: number;
  key?: Buffer;
} = {}) => {
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return {
    headers: { 'Webhook-Id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` },
    body,
  };
};

const verify = (request: WebhookRequest, secrets: string | readonly string[] = SECRET) =>
  verifyWebhook(secrets, request, { now: NOW });

describe('a webhook', () => {
  test('with the right signature is an event with its id', async () => {
    const event = await verify(signed());
    expect(event).toEqual({ ...EVENT, id: 'evt_1' });
    expect(isChange(event, 'order.filled') && event.data.average_price).toBe(231.5);
    expect(isChange(event, 'trade.closed')).toBe(false);
  });

  test('is taken as the reference library signs it', async () => {
    const { headers, body } = signed();
    const signature = new Webhook(SECRET).sign('evt_1', new Date(NOW), body);
    expect(await verify({ headers: { ...headers, 'webhook-signature': signature }, body })).toMatchObject({
      id: 'evt_1',
    });
  });

  test('can be bytes, and have headers as fetch gives them', async () => {
    const { headers, body } = signed();
    const request = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
    expect(await verify(request)).toMatchObject({ id: 'evt_1' });
  });

  test('is taken with either secret during a rotation', async () => {
    const other = Buffer.from('another key');
    const [first, second] = [signed(), signed({ key: other })];
    const both = [first.headers['webhook-signature'], second.headers['webhook-signature']].join(' ');
    const request = { ...first, headers: { ...first.headers, 'webhook-signature': `v2,AAAA ${both}` } };
    expect(await verify(request)).toMatchObject({ id: 'evt_1' });
    expect(await verify(request, `whsec_${other.toString('base64')}`)).toMatchObject({ id: 'evt_1' });
    expect(await verify(second, [SECRET, other.toString('base64')])).toMatchObject({ id: 'evt_1' });
  });

  test.each<[string, WebhookRequest, RegExp]>([
    [
      'a changed body',
      { ...signed(), body: JSON.stringify({ ...EVENT, sequence: 4 }) },
      /no signature is right/,
    ],
    ['another id', { ...signed(), headers: { ...signed().headers, 'Webhook-Id': 'evt_2' } }, /no signature/],
    ['another key', signed({ key: Buffer.from('wrong') }), /no signature is right/],
    [
      'a signature that is not base64',
      { ...signed(), headers: { ...signed().headers, 'webhook-signature': 'v1,%' } },
      /no signature is right/,
    ],
    ['an old time', signed({ at: NOW / 1000 - 301 }), /too long ago, or in the future/],
    ['a future time', signed({ at: NOW / 1000 + 301 }), /too long ago, or in the future/],
    [
      'no time',
      { ...signed(), headers: { ...signed().headers, 'webhook-timestamp': 'now' } },
      /is not a time/,
    ],
    [
      'no signature',
      { ...signed(), headers: { 'webhook-id': 'a', 'webhook-timestamp': '1' } },
      /webhook-signature is missing/,
    ],
    ['a body that is not JSON', signed({ body: 'hello' }), /is not JSON/],
    ['a body that is no event', signed({ body: '{"type":"x"}' }), /is no event/],
  ])('with %s is refused', async (_fault, request, reason) => {
    const refused = verify(request);
    await expect(refused).rejects.toThrow(HubWebhookError);
    await expect(refused).rejects.toThrow(reason);
  });

  test('is not verified with a secret that is not base64', async () => {
    await expect(verify(signed(), 'whsec_%%%')).rejects.toThrow(/is not base64/);
  });
});
