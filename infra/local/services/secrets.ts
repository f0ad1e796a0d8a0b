import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../commands/command-line.ts';
import { openDataFolder } from '../database/data-folder.ts';
import { DataUnusableError } from '../database/data-unusable.ts';

const schema = z.object({
  /** Versions, newest first: AWSCURRENT, then AWSPREVIOUS after a rotation. */
  versions: z
    .array(
      z.object({ id: z.string(), created_at: z.iso.datetime(), value: z.record(z.string(), z.string()) }),
    )
    .min(1),
});

export type LocalSecret = z.output<typeof schema>;

const newMaster = (): string => randomBytes(48).toString('base64url');

/** Generates a key file of a service account in Google's format. It is valid only on this machine. */
const newServiceAccount = (): string => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return JSON.stringify({
    type: 'service_account',
    project_id: 'strategy-hub-local',
    private_key_id: randomUUID(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'push@strategy-hub-local.iam.gserviceaccount.com',
  });
};

const newVapidKey = (): string =>
  z
    .object({ d: z.string() })
    .parse(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })).d;

/** Generators of the parts. To reach real services and partner C, replace the parts with their secrets. */
const PARTS = {
  master: newMaster,
  challenge_secret: () => randomBytes(24).toString('base64url'),
  analytics_secret: () => randomBytes(24).toString('base64url'),
  partnerc_client_secret: () => '',
  fcm_service_account: newServiceAccount,
  vapid_private_key: newVapidKey,
  alpaca_key_id: () => '',
  alpaca_secret_key: () => '',
  // On AWS it is in a secret of its own.
  probe_password: () => randomBytes(24).toString('base64url'),
};

const generate = (): LocalSecret => ({
  versions: [
    {
      id: randomUUID(),
      created_at: new Date().toISOString(),
      value: Object.fromEntries(Object.entries(PARTS).map(([name, make]) => [name, make()])),
    },
  ],
});

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json');

const read = (file: string): LocalSecret => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new DataUnusableError(file, 'it does not hold the secrets of a service', { cause });
  }
};

const write = (file: string, secret: LocalSecret): void => {
  // Write to another file and rename it, so that a killed process leaves no partial file.
  writeFileSync(`${file}.new`, `${JSON.stringify(secret, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/**
 * Loads the secrets of the service on this machine, which the first start generates. Only their owner can read the file.
 * Without a directory, they live as long as the process.
 */
export const loadSecret = (dataDir: string | undefined): LocalSecret => {
  if (!dataDir) return generate();
  const file = fileIn(dataDir);
  if (existsSync(file)) return read(file);
  const secret = generate();
  openDataFolder(dataDir);
  write(file, secret);
  return secret;
};

/** Reads the secrets at each call, as they may have been rotated. */
export const secretReader = (dataDir: string | undefined): (() => LocalSecret) => {
  const first = loadSecret(dataDir);
  return () => (dataDir ? read(fileIn(dataDir)) : first);
};

/** Lifetime of refresh tokens. Removing a key earlier ends sessions. */
const OVERLAP_MS = 30 * 24 * 3_600_000;

/**
 * Generates a new master key. The previous one stays, to verify its signatures.
 *
 * @throws UsageError if the rotation would remove a key that sessions still need.
 */
export const rotateSecret = (dataDir: string, { force, now }: { force: boolean; now: Date }): void => {
  const file = fileIn(dataDir);
  if (!existsSync(file)) {
    throw new UsageError(`There are no keys in ${dataDir} yet. The first start generates them.`);
  }
  const {
    versions: [current, previous],
  } = read(file);
  if (!current) throw new Error(`${file} holds no version of the secrets`);
  if (previous && !force && now.getTime() - Date.parse(current.created_at) < OVERLAP_MS) {
    throw new UsageError(
      'The keys were rotated less than 30 days ago: another rotation ends what the keys before those signed. To do it all the same: npm run rotate-keys -- --force',
    );
  }
  const next = {
    id: randomUUID(),
    created_at: now.toISOString(),
    value: { ...current.value, master: newMaster() },
  };
  write(file, { versions: [next, current] });
};
