import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** The files of the service: databases with their side files, secrets, the data key, who holds the lock. */
const OWN = /^((engine|table)\.sqlite(-wal|-shm|-journal)?|(secrets\.json|data-key|running\.json)(\.new)?)$/;

/**
 * Makes the data folder and keeps other users of the machine out: the folder has mode 0700 and the files of the
 * service 0600, also those of earlier versions. A folder that holds other files as well keeps its own mode.
 */
export const openDataFolder = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const names = readdirSync(dataDir);
  const own = names.filter((name) => OWN.test(name));
  for (const name of own) chmodSync(join(dataDir, name), FILE_MODE);
  if (own.length === names.length) chmodSync(dataDir, FOLDER_MODE);
};

/** Makes an empty file for a database, which only its owner can read. SQLite gives its side files the same mode. */
export const makeDatabaseFile = (file: string): void => closeSync(openSync(file, 'a', FILE_MODE));
