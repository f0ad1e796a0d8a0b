/** Serves assistants on this machine over stdio: `npm run mcp --silent`. */

import { pathToFileURL } from 'node:url';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Catalogue, catalogueSchema } from '../../functions/assistants/catalogue/tool.ts';
import { createServer } from '../../functions/assistants/served/create-server.ts';
import { type HubAccess, readAccess } from '../../functions/assistants/served/hub-calls.ts';
import { assetsIn } from '../../shared/api/assets.ts';
import { boundedFetch } from '../../shared/channels/bounded-fetch.ts';
import { recordedBuild } from '../bundle/built.ts';
import { explain, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run mcp --silent -- [--url ADDRESS]

Serves the tools of assistants over stdio (Model Context Protocol), for a hub on this machine or any other.
Assistants start it; --silent keeps the lines of npm out of the protocol.

  --url ADDRESS    the hub; http://localhost:3000 by default

  HUB_API_KEY      an API key of the console's settings. It is never an option: other programs see those`;

const readTarget = (): HubAccess => {
  const { values } = readOptions(USAGE, {
    options: { url: { type: 'string', default: 'http://localhost:3000' } },
  });
  const { HUB_API_KEY: key } = process.env;
  if (!URL.canParse(values.url)) throw new UsageError(`--url takes an address.\n\n${USAGE}`);
  if (!key) throw new UsageError(`HUB_API_KEY is not set.\n\n${USAGE}`);
  return { address: values.url.replace(/\/+$/, ''), key, send: boundedFetch };
};

/** Returns the catalogue that the build wrote, or makes it if the sources have changed, which takes seconds. */
const readCatalogue = async (): Promise<Catalogue> => {
  const bundle = (await recordedBuild())?.bundles.get('assistants');
  if (bundle) {
    const assets = assetsIn(new URL('./assets/', pathToFileURL(bundle.file)));
    const file = await (await assets('catalogue.json')).plain();
    return catalogueSchema.parse(JSON.parse(file.toString()));
  }
  const [{ buildCatalogue }, { OPERATIONS }] = await Promise.all([
    import('../../functions/assistants/catalogue/build-catalogue.ts'),
    import('../../functions/operations.ts'),
  ]);
  return buildCatalogue(OPERATIONS);
};

try {
  const access = readTarget();
  const known = await readAccess(access);
  if ('refusal' in known) {
    const { status, body } = known.refusal;
    throw new UsageError(
      `The hub at ${access.address} refused the key: ${status} ${String(Object(body).detail ?? '')}`,
    );
  }
  const catalogue = await readCatalogue();
  serveStdio(() => createServer({ catalogue, access, scopes: known.scopes }));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
