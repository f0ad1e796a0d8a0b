import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { accountOf } from '../../shared/data/user-data/account.ts';
import { exportAccount } from '../../shared/data/user-data/export-account.ts';
import { withExisting } from '../catalogue/target.ts';
import { count, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { findNamedUser } from './find-user.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run export -- --user ID|EMAIL [--out DIR]

Writes everything that the table holds about a user, for their right of access: a file of NDJSON per kind of record,
and README.txt. Passwords, keys, tokens and their digests are left out. --out names an empty folder; the default is
export-<user_key>. Reads the whole table.
HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.`;

/** Lines to hold in memory before they are written. */
const MAX_LINES = 1000;

/** Writes lines to a file per kind. */
class Files {
  readonly #dir: string;
  readonly #lines = new Map<string, string[]>();
  #held = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  add(kind: string, record: unknown): void {
    const lines = this.#lines.get(kind) ?? [];
    lines.push(`${JSON.stringify(record)}\n`);
    this.#lines.set(kind, lines);
    this.#held += 1;
  }

  get isFull(): boolean {
    return this.#held >= MAX_LINES;
  }

  async flush(): Promise<void> {
    for (const [kind, lines] of this.#lines)
      await appendFile(join(this.#dir, `${kind}.ndjson`), lines.join(''), { mode: 0o600 });
    this.#lines.clear();
    this.#held = 0;
  }
}

const readme = (leftOut: readonly string[], at: Date): string =>
  `Records of one user of the Strategy Hub, as of ${at.toISOString()}.
A file per kind of record, one JSON record a line. Times are in UTC, or milliseconds since 1970.

Left out: secrets and what is made from them (passwords, keys of brokers, tokens, codes), digests, and
binary attributes. Attributes that were left out: ${leftOut.join(', ') || 'none'}.
Answers that are kept for an Idempotency-Key are encrypted with that key, for 24 hours, and cannot be read.
`;

const run = async (): Promise<void> => {
  const { values } = readOptions(USAGE, {
    options: { user: { type: 'string' }, out: { type: 'string' } },
  });
  const { user, out } = values;
  if (!user) throw new UsageError(USAGE);
  await withExisting(process.env, async (target) => {
    const account = accountOf(await findNamedUser(target.store, user));
    const dir = resolve(out ?? `export-${account.user_key}`);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if ((await readdir(dir)).length > 0) throw new UsageError(`${dir} is not empty.`);
    const files = new Files(dir);
    const { records, leftOut } = await exportAccount(target.store, account, async ({ kind, record }) => {
      files.add(kind, record);
      if (files.isFull) await files.flush();
    });
    await files.flush();
    await writeFile(join(dir, 'README.txt'), readme(leftOut, new Date()), { mode: 0o600 });
    console.log(`${count(records)} records of ${target.where} are in ${dir}.`);
  });
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
