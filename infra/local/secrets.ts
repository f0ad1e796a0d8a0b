import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const schema = z.object({
  /** The newest first: AWSCURRENT, then, after a rotation, AWSPREVIOUS. */
  versions: z
    .array(
      z.object({ id: z.string(), created_at: z.iso.datetime(), value: z.record(z.string(), z.string()) }),
    )
    .min(1),
});

export type LocalSecret = z.output<typeof schema>;

const generate = (): LocalSecret => ({
  versions: [
    {
      id: randomUUID(),
      created_at: new Date().toISOString(),
      value: {
        master: randomBytes(48).toString('base64url'),
        // The stand-ins accept any; to reach the real services, their secrets are written here.
        challenge_secret: randomBytes(24).toString('base64url'),
        analytics_secret: randomBytes(24).toString('base64url'),
      },
    },
  ],
});

/**
 * The service's secrets on this machine, generated on the first start; only their owner can read the
 * file. Without a directory they live as long as the process.
 */
export const loadSecret = (dataDir: string | undefined): LocalSecret => {
  if (!dataDir) return generate();
  const file = join(dataDir, 'secrets.json');
  if (existsSync(file)) {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (cause) {
      throw new Error(`${file} cannot be read as secrets`, { cause });
    }
  }
  const secret = generate();
  mkdirSync(dataDir, { recursive: true });
  // Renamed into place: a start that is killed must not leave half a file.
  writeFileSync(`${file}.new`, `${JSON.stringify(secret, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secret;
};
