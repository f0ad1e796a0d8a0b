import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bundle/built.ts';
import { openApiDocument } from '../bundle/docs-assets.ts';
import { clientSource } from './client-source.ts';

/** File of the generated part of the client. */
const CLIENT_FILE = join(ROOT, 'infra', 'client', 'package', 'src', 'operations.ts');

/** Writes the generated part of the client from the declared operations, and returns its file. */
export const writeClient = async (): Promise<string> => {
  // Keep the draft out of the sources of bundles, and rename it, as another process may be reading the file.
  const draft = join(ROOT, '.build', `client-operations.${process.pid}`);
  await mkdir(join(ROOT, '.build'), { recursive: true });
  await writeFile(draft, clientSource(openApiDocument()));
  await rename(draft, CLIENT_FILE);
  return CLIENT_FILE;
};
