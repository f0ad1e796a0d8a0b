import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reasons that have nothing to do with the data: nobody should delete it. */
const FULL = 'the disk is full';
const READ_ONLY = 'the file system is read-only';
const FORBIDDEN = 'this user may not write there';

const CURES: Readonly<Record<string, string>> = {
  [FULL]: 'Make room on it',
  [READ_ONLY]: 'Make it writable',
  [FORBIDDEN]: 'Allow it',
};

const DAMAGE_CURE = 'Repair it, delete the data folder to start again without data';

/** The data folder cannot be opened or written, or one of its files is damaged. */
export class DataUnusableError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(
      `The data at ${path} cannot be used: ${reason}. ` +
        `${CURES[reason] ?? DAMAGE_CURE}, or choose another one with HUB_DATA_DIR.`,
      options,
    );
    this.name = 'DataUnusableError';
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: READ_ONLY,
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EISDIR: 'it is a folder, not a file',
};

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html. */
const SQLITE_REASONS: ReadonlyMap<unknown, string> = new Map([
  [8, FORBIDDEN],
  [10, 'the disk failed to read or write'],
  [11, 'the database file is damaged'],
  [13, FULL],
  [14, 'the database file cannot be opened'],
  [26, 'the file is not a database'],
]);

/** Returns the code of SQLite's error; undefined for any other error. */
export const sqliteCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;

const systemCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Returns the reason why a file could not be used; undefined for an error that is not about files. */
export const reasonOf = (error: unknown): string | undefined => {
  const code = sqliteCode(error);
  const sqlite = typeof code === 'number' ? SQLITE_REASONS.get(code & 0xff) : undefined;
  return sqlite ?? SYSTEM_REASONS[String(systemCode(error))];
};

/** With less room, the next large write may fail. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Returns whether the disk of a file or folder has no room for a large write. */
const isDiskFull = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(existsSync(path) ? path : dirname(path));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    // The folder cannot be read: another reason than a full disk.
    return false;
  }
};

/**
 * Returns why a file cannot be used.
 *
 * @param error undefined if nothing has failed yet.
 * @returns undefined if it can be, or for an error that is not about files.
 */
export const faultOf = (path: string, error?: unknown): string | undefined => {
  const reason = reasonOf(error);
  // On a full disk SQLite may report that it cannot read or write.
  return (reason !== undefined || error === undefined) && isDiskFull(path) ? FULL : reason;
};

/** Converts an error of the file system or of SQLite to a DataUnusableError with the path. */
export const asDataUnusable = (path: string, error: unknown): unknown => {
  const reason = faultOf(path, error);
  return reason === undefined ? error : new DataUnusableError(path, reason, { cause: error });
};

/** Runs a function that opens a file or folder. @throws DataUnusableError if that fails. */
export const openingData = <T>(path: string, open: () => T): T => {
  try {
    return open();
  } catch (error) {
    throw asDataUnusable(path, error);
  }
};
