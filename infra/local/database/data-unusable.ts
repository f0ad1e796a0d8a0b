/** The data folder cannot be opened, or one of its files is damaged. */
export class DataUnusableError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(
      `The data at ${path} cannot be used: ${reason}. ` +
        'Repair it, delete the data folder to start again without data, or choose another one with HUB_DATA_DIR.',
      options,
    );
    this.name = 'DataUnusableError';
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'the parent folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder, not a file',
};

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html. */
const SQLITE_REASONS: ReadonlyMap<unknown, string> = new Map([
  [8, 'this user may not write there'],
  [10, 'the disk failed to read or write'],
  [11, 'the database file is damaged'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [26, 'the file is not a database'],
]);

const fieldOf = (error: unknown, name: 'code' | 'errcode'): unknown =>
  error instanceof Error ? Object.entries(error).find(([key]) => key === name)?.[1] : undefined;

/** Returns the reason why a file could not be used; undefined for an error that is not about files. */
const reasonOf = (error: unknown): string | undefined => {
  const code = fieldOf(error, 'errcode');
  const sqlite = typeof code === 'number' ? SQLITE_REASONS.get(code & 0xff) : undefined;
  return sqlite ?? SYSTEM_REASONS[String(fieldOf(error, 'code'))];
};

/** Converts an error of the file system or of SQLite to a DataUnusableError with the path. */
export const asDataUnusable = (path: string, error: unknown): unknown => {
  const reason = reasonOf(error);
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
