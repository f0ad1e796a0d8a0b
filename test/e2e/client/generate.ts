import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSource } from 'oazapfts';
import { openApiDocument } from '../../../infra/bundle/docs-assets.ts';

/** The file of the generated client. */
export const CLIENT_FILE = fileURLToPath(new URL('./integrator.ts', import.meta.url));

/** Operations of integrators. Changes of others do not change this client. */
const ofIntegrators = (path: string): boolean =>
  path.startsWith('/broker/') ||
  ['/oauth/token', '/create_partnera_subdomain_secret', '/register_user_broker'].includes(path);

/** Disables type checks, as the generator's code for forms fails under exactOptionalPropertyTypes. Its exports are typed. */
const UNCHECKED = '// @ts-nocheck\n';

/** Returns the source of a typed client for integrators, generated from the document of `/openapi.json`. */
export const generateClient = async (): Promise<string> => {
  const { paths, ...document } = openApiDocument();
  const used = Object.fromEntries(Object.entries(paths).filter(([path]) => ofIntegrators(path)));
  const dir = await mkdtemp(join(tmpdir(), 'hub-client-'));
  try {
    const file = join(dir, 'openapi.json');
    await writeFile(file, JSON.stringify({ ...document, paths: used }));
    return UNCHECKED + (await generateSource(file));
  } finally {
    await rm(dir, { recursive: true });
  }
};

if (import.meta.main) await writeFile(CLIENT_FILE, await generateClient());
