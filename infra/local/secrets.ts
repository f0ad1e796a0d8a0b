import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from './command-line.ts';

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

const generate = (): LocalSecret => ({
  versions: [
    {
      id: randomUUID(),
      created_at: new Date().toISOString(),
      value: {
        master: newMaster(),
        // The stand-ins accept any; to reach real services, and partner C, their secrets are written here.
        challenge_secret: randomBytes(24).toString('base64url'),
        analytics_secret: randomBytes(24).toString('base64url'),
        partnerc_client_secret: '',
      },
    },
  ],
});

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json');

const read = (file: string): LocalSecret => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} cannot be read as secrets`, { cause });
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
  if (existsSync(file)) return read(file);
  const secret = generate();
  mkdirSync(dataDir, { recursive: true });
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
