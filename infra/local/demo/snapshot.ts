import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { ROOT } from '../../bundle/built.ts';

/** Copies of the demo data that a first start made, for the first starts after it: a folder for each state of the sources. */
const FOLDER = join(ROOT, '.build', 'demo');
const TABLE = 'table.sqlite';
const CHECKPOINTS = 'checkpoints.json';

const checkpointsSchema = z.record(z.string(), z.string());

/** A copy of the demo data. */
export interface DemoSnapshot {
  /** File of the table. */
  readonly table: string;
  /** Checkpoints of the readers of its stream. */
  readonly checkpoints: Readonly<Record<string, string>>;
}

/** The demo data to copy: its sources, and the choice of the start. */
export interface DemoSources {
  /** Digest of the sources of the service. */
  readonly digest: string;
  readonly hasMarket: boolean;
}

const folderOf = ({ digest, hasMarket }: DemoSources, root: string): string =>
  join(root, digest, hasMarket ? 'market' : 'plain');

/** Finds the copy that an earlier start has made. */
export const findSnapshot = (sources: DemoSources, root = FOLDER): DemoSnapshot | undefined => {
  const folder = folderOf(sources, root);
  if (!existsSync(folder)) return undefined;
  const checkpoints = checkpointsSchema.parse(JSON.parse(readFileSync(join(folder, CHECKPOINTS), 'utf8')));
  return { table: join(folder, TABLE), checkpoints };
};

/** Copies the demo data, and removes copies of other sources. The first copy stays if two starts make one. */
export const saveSnapshot = (
  sources: DemoSources,
  { table, checkpoints }: DemoSnapshot,
  root = FOLDER,
): void => {
  const folder = folderOf(sources, root);
  const unfinished = join(root, sources.digest, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  const database = new DatabaseSync(table, { readOnly: true, timeout: 5000 });
  try {
    database.prepare('VACUUM INTO ?').run(join(unfinished, TABLE));
  } finally {
    database.close();
  }
  writeFileSync(join(unfinished, CHECKPOINTS), JSON.stringify(checkpoints));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  for (const name of readdirSync(root)) {
    if (name !== sources.digest) rmSync(join(root, name), { recursive: true, force: true });
  }
};
