import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerLocally, LOCAL_HEADER } from '../../../infra/local/gateway/local-pages.ts';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { createMessages, type Messages } from '../../../infra/local/services/messages.ts';
import { createPushService } from '../../../infra/local/services/push-service.ts';

let server: LocalServer;
let url: string;
let messages: Messages;

const runJob = (name: string) => {
  if (name === 'works') return Promise.resolve({ done: 1 });
  return name === 'fails' ? Promise.reject(new Error('as asked')) : undefined;
};

beforeAll(async () => {
  server = await openServer();
  url = `http://localhost:${server.port}/__local`;
});
afterAll(() => server.close());
beforeEach(() => {
  messages = createMessages(() => undefined);
  const pushService = createPushService('http://127.0.0.1:9', messages);
  server.serve(
    (request, response) => void answerLocally({ messages, pushService, runJob }, request, response),
  );
});

const statusFor = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(`${url}/messages`, { headers: { host } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });

describe('the messages', () => {
  it('are shown newest first and escaped', async () => {
    messages.add({ kind: 'mail', to: 'a@example.com', subject: 'One', text: '1' });
    messages.add({ kind: 'sms', to: '+491', subject: '', text: '<script>"&' });
    const page = await (await fetch(`${url}/messages`)).text();
    expect(page).toContain('&lt;script&gt;&quot;&amp;');
    expect(page).not.toContain('<script>');
    expect(await (await fetch(`${url}/messages.json`)).json()).toMatchObject({
      items: [{ kind: 'sms' }, { kind: 'mail' }],
    });
  });

  it('are the last two hundred', () => {
    for (let n = 0; n < 205; n += 1) messages.add({ kind: 'sms', to: '', subject: '', text: String(n) });
    expect(messages.list()).toHaveLength(200);
    expect(messages.list()[0]).toMatchObject({ text: '204' });
  });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['evil.example', 403],
    ['localhost.evil.example:3000', 403],
  ])('are shown under the name %s: %i', async (host, status) => {
    expect(await statusFor(host)).toBe(status);
  });
});

describe('a job', () => {
  const post = async (name: string, headers: Record<string, string> = { [LOCAL_HEADER]: 'job' }) => {
    const response = await fetch(`${url}/jobs/${name}`, { method: 'POST', headers });
    return [response.status, await response.json()];
  };

  it('answers with its result, or with what went wrong', async () => {
    expect(await post('works')).toEqual([200, { result: { done: 1 } }]);
    expect(await post('fails')).toEqual([500, { message: 'as asked' }]);
    expect(await post('nonsense')).toEqual([404, { message: 'There is no job nonsense' }]);
  });

  it('cannot be run by a page of another origin', async () => {
    expect(await post('works', {})).toEqual([403, { message: 'Forbidden' }]);
  });
});

describe('a push subscription', () => {
  const subscribe = (headers: Record<string, string> = { [LOCAL_HEADER]: 'push' }) =>
    fetch(`${url}/push-subscription`, { method: 'POST', headers });

  it('has the form that a browser returns', async () => {
    expect(await (await subscribe()).json()).toEqual({
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/push\/[\w-]{22}$/),
      expirationTime: null,
      keys: { p256dh: expect.stringMatching(/^B[\w-]{86}$/), auth: expect.stringMatching(/^[\w-]{22}$/) },
    });
  });

  it('is refused to a page of another origin', async () => {
    expect((await subscribe({})).status).toBe(403);
  });
});

it('is answered with 404 at other paths', async () => {
  expect((await fetch(`${url}/else`)).status).toBe(404);
  expect((await fetch(`${url}/messages`, { method: 'POST' })).status).toBe(404);
});
