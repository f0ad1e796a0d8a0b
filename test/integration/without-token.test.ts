import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { leaveOutTokens } from '../../infra/catalogue/without-token.ts';
import { Store } from '../../shared/data/table/store.ts';
import { engineClient } from '../support/engine.ts';
import { openStore } from '../support/open-store.ts';

const { endpoint, store } = await openStore();

const sentSchema = z.object({
  headers: z.object({ 'content-length': z.string(), 'x-amz-target': z.string() }),
  body: z.instanceof(Uint8Array),
});

/** Opens a store that notes the requests which its client sends. */
const openNoting = (change: (client: DynamoDBClient) => void) => {
  const client = new DynamoDBClient(engineClient(endpoint));
  const sent: z.output<typeof sentSchema>[] = [];
  change(client);
  client.middlewareStack.add(
    (next) => (call) => {
      sent.push(sentSchema.parse(call.request));
      return next(call);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'noted' },
  );
  return { noting: new Store(client, store.table), sent, close: () => client.destroy() };
};

const write = (noting: Store, name: string) =>
  noting.transact([
    { put: { pk: name, sk: '1', text: 'Zoë "ClientRequestToken":"no"' } },
    { put: { pk: name, sk: '2', ClientRequestToken: 'an attribute' } },
  ]);

const textOf = ({ body }: z.output<typeof sentSchema>): string => new TextDecoder().decode(body);

test('a client adds a token to a transaction, and none after the change', async () => {
  const usual = openNoting(() => undefined);
  await write(usual.noting, 'usual');
  usual.close();
  expect(usual.sent.map((one) => Object.keys(JSON.parse(textOf(one))).sort())).toEqual([
    ['ClientRequestToken', 'TransactItems'],
  ]);
  const changed = openNoting(leaveOutTokens);
  await write(changed.noting, 'changed');
  expect(changed.sent.map((one) => Object.keys(JSON.parse(textOf(one))))).toEqual([['TransactItems']]);
  expect(changed.sent.map(({ headers }) => headers['content-length'])).toEqual(
    changed.sent.map((one) => String(Buffer.byteLength(textOf(one)))),
  );
  const stored = await changed.noting.getMany([
    { pk: 'changed', sk: '1' },
    { pk: 'changed', sk: '2' },
  ]);
  changed.close();
  expect(stored).toEqual([
    { pk: 'changed', sk: '1', text: 'Zoë "ClientRequestToken":"no"' },
    { pk: 'changed', sk: '2', ClientRequestToken: 'an attribute' },
  ]);
});
