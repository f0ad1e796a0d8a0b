import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Writes a gzipped file that a function sends, and returns its size. */
export const writeAsset = async (
  directory: string,
  name: string,
  content: string | Uint8Array,
): Promise<number> => {
  const file = join(directory, `${name}.gz`);
  const draft = `${file}.${process.pid}`;
  const gzipped = await compress(content, { level: constants.Z_BEST_COMPRESSION });
  await writeFile(draft, gzipped);
  // Rename the file into place, as a running function may be reading it.
  await rename(draft, file);
  return gzipped.length;
};
