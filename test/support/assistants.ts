import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { buildCatalogue } from '../../functions/assistants/catalogue/build-catalogue.ts';
import type { Catalogue } from '../../functions/assistants/catalogue/tool.ts';
import { assistantsOperationsWith } from '../../functions/assistants/operations.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Assets } from '../../shared/api/assets.ts';
import type { Operation } from '../../shared/api/operation.ts';
import type { TestHub } from './hub.ts';
import { bearer } from './people.ts';

/** Catalogue as the build writes it. */
export const CATALOGUE: Catalogue = await buildCatalogue(OPERATIONS);

const assets: Assets = async () => ({
  gzipped: Buffer.alloc(0),
  etag: '',
  plain: async () => Buffer.from(JSON.stringify(CATALOGUE)),
});

/** Operations of a hub whose server of assistants has its catalogue without a build. */
export const operationsWithAssistants = (): readonly Operation[] => [
  ...OPERATIONS.filter(({ path }) => path !== '/mcp'),
  ...assistantsOperationsWith(assets),
];

/** Connects the client of the protocol's own library to a hub in this process. */
export const connect = async (
  hub: TestHub,
  key: string,
  mode: 'legacy' | 'auto' = 'auto',
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('https://hub.example/mcp'), {
    requestInit: { headers: bearer(key) },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { status, headers, text } = await hub.call(`${request.method} /mcp`, {
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      });
      // A response of such a status has no body.
      return new Response([202, 204].includes(status) ? null : text, { status, headers });
    },
  });
  await client.connect(transport);
  return client;
};
