import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Files of the service: databases with their side files, secrets, the data key and the holder of the lock. */
const OWN =
  /^((engine|table)\.sqlite(-wal|-shm|-journal|\.new)?|(secrets\.json|data-key|running\.json)(\.new)?)$/;

/**
 * Creates the data folder so that other users of the machine have no access. The folder gets mode 0700, the files of
 * the service 0600. A folder with other files keeps its mode.
 */
export const openDataFolder = (dataDir: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const names = readdirSync(dataDir);
  const own = names.filter((name) => OWN.test(name));
  for (const name of own) chmodSync(join(dataDir, name), FILE_MODE);
  if (own.length === names.length) chmodSync(dataDir, FOLDER_MODE);
};

/** Creates an empty database file that only its owner can read. SQLite gives its side files the same mode. */
export const makeDatabaseFile = (file: string): void => closeSync(openSync(file, 'a', FILE_MODE));
