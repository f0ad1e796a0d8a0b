import { randomBytes } from 'node:crypto';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { ConditionFailedError } from '../../shared/data/table/store.ts';
import { clientWrite } from '../../shared/data/users/clients.ts';
import { openTarget, type Target } from '../catalogue/target.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run register-client -- --name NAME     registers a client application and prints its key, once
npm run register-client -- --revoke ID     revokes the key with this id

A client application sends the key as auth of /register_user.
HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

const KEY_BYTES = 32;
/** Prefix of an id, as a fingerprint may begin like an option. */
const ID_PREFIX = 'client_';
const MAX_NAME = 100;

const register = async ({ store, where }: Target, name: string): Promise<void> => {
  const key = `hub_client_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const id = fingerprint(key);
  await store.transact([clientWrite(name, id)]);
  console.log(`Client application  ${name}, in ${where}`);
  console.log(`Key                 ${key}`);
  console.log(`Id, to revoke it    ${ID_PREFIX}${id}`);
  console.log('Note the key now. Only its fingerprint is stored.');
};

const revoke = async ({ store, where }: Target, id: string): Promise<void> => {
  try {
    await store.delete(keys.client(id.replace(ID_PREFIX, '')), { condition: 'attribute_exists(pk)' });
  } catch (error) {
    if (error instanceof ConditionFailedError)
      throw new UsageError(`There is no key with this id in ${where}.`);
    throw error;
  }
  console.log(`The key is revoked in ${where}.`);
};

const run = async (): Promise<void> => {
  const { values } = readOptions(USAGE, {
    options: { name: { type: 'string' }, revoke: { type: 'string' } },
  });
  const name = values.name?.trim();
  const task = name && !values.revoke ? register : values.revoke && name === undefined ? revoke : undefined;
  if (!task || (name?.length ?? 0) > MAX_NAME) throw new UsageError(USAGE);
  const target = await openTarget(process.env);
  try {
    await task(target, name ?? values.revoke ?? '');
  } finally {
    await target.close();
  }
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
