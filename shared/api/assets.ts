import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** File that the build wrote next to the bundle. */
export interface Asset {
  readonly gzipped: Buffer;
  /** Weak entity tag: the same for both encodings. */
  readonly etag: string;
  readonly plain: () => Promise<Buffer>;
}

/** Reads one of the build's files by name. */
export type Assets = (name: string) => Promise<Asset>;

const inflate = promisify(gunzip);

const load = async (file: URL): Promise<Asset> => {
  const gzipped = await readFile(file);
  const digest = createHash('sha256').update(gzipped).digest('base64url').slice(0, 22);
  return { gzipped, etag: `W/"${digest}"`, plain: () => inflate(gzipped) };
};

/** Makes a reader of the assets in a directory. Each file is read once; one that could not be read is tried again. */
export const assetsIn = (directory: URL): Assets => {
  const loaded = new Map<string, Promise<Asset>>();
  return (name) => {
    const known = loaded.get(name);
    if (known) return known;
    const loading = load(new URL(`${name}.gz`, directory));
    loaded.set(name, loading);
    loading.catch(() => loaded.delete(name));
    return loading;
  };
};
