import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../commands/command-line.ts';
import { openDataFolder } from '../database/data-folder.ts';
import { DataUnusableError } from '../database/data-unusable.ts';

const schema = z.object({
  /** The newest first: AWSCURRENT, then, after a rotation, AWSPREVIOUS. */
  versions: z
    .array(
      z.object({ id: z.string(), created_at: z.iso.datetime(), value: z.record(z.string(), z.string()) }),
    )
    .min(1),
});

export type LocalSecret = z.output<typeof schema>;

const newMaster = (): string => randomBytes(48).toString('base64url');

/** The key file of a service account, as Google's console gives it; of this machine alone. */
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

/** How the parts are made. To reach real services, and partner C, their secrets take the place of these. */
const PARTS: Readonly<Record<string, () => string>> = {
  master: newMaster,
  challenge_secret: () => randomBytes(24).toString('base64url'),
  analytics_secret: () => randomBytes(24).toString('base64url'),
  partnerc_client_secret: () => '',
  fcm_service_account: newServiceAccount,
  vapid_private_key: newVapidKey,
};

/** The same with the parts that are missing. */
const completed = (value: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(PARTS).map(([name, make]) => [name, value[name] ?? make()]));

const generate = (): LocalSecret => ({
  versions: [{ id: randomUUID(), created_at: new Date().toISOString(), value: completed({}) }],
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
  // Renamed into place: whoever is killed must not leave half a file.
  writeFileSync(`${file}.new`, `${JSON.stringify(secret, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/**
 * The service's secrets on this machine, generated on the first start; only their owner can read the
 * file. Without a directory they live as long as the process.
 */
export const loadSecret = (dataDir: string | undefined): LocalSecret => {
  if (!dataDir) return generate();
  const file = fileIn(dataDir);
  const kept = existsSync(file) ? read(file) : undefined;
  const [current, ...previous] = kept?.versions ?? [];
  if (kept && current && Object.keys(PARTS).every((name) => name in current.value)) return kept;
  // What an older version of the service kept lacks the parts that came since.
  const secret = current
    ? { versions: [{ ...current, value: { ...current.value, ...completed(current.value) } }, ...previous] }
    : generate();
  openDataFolder(dataDir);
  write(file, secret);
  return secret;
};

/** Reads the secrets anew each time: they may have been rotated since. */
export const secretReader = (dataDir: string | undefined): (() => LocalSecret) => {
  const first = loadSecret(dataDir);
  return () => (dataDir ? read(fileIn(dataDir)) : first);
};

/** Refresh tokens live this long: a key that goes sooner ends sessions. */
const OVERLAP_MS = 30 * 24 * 3_600_000;

/**
 * Makes a new master key; the one before stays, to verify what it signed. Throws UsageError where that
 * would push out a key that sessions still live of.
 */
export const rotateSecret = (dataDir: string, { force, now }: { force: boolean; now: Date }): void => {
  const file = fileIn(dataDir);
  if (!existsSync(file)) {
    throw new UsageError(`There are no keys in ${dataDir} yet: the first start makes them.`);
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
