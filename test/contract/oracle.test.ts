import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetsIn } from '../../functions/docs/assets.ts';
import { docsOperationsWith } from '../../functions/docs/operations.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { writeDocsAssets } from '../../infra/docs-assets.ts';
import { encodeForm, Gateway, type Sent } from './gateway.ts';
import { ORACLE, type OracleCase } from './spec.ts';

const routes = new Set(OPERATIONS.map(({ routeKey }) => routeKey));
const paths = new Set<string>(OPERATIONS.map(({ path }) => path));

/** A case of routing asks a known path for a method that it does not have. */
const isRouting = ({ status }: OracleCase): boolean => status === 405;
const exists = (item: OracleCase): boolean =>
  isRouting(item) ? paths.has(item.path) : routes.has(`${item.method} ${item.path}`);

const ready = ORACLE.filter(exists);

const bodyOf = ({ request }: OracleCase): Pick<Sent, 'headers' | 'body'> => {
  if (!request) return {};
  if (request.content !== undefined) return { headers: request.headers, body: request.content };
  if (request.data) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: encodeForm(request.data) };
  }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.json) };
};

/** The one departure: the answer to a text that is no JSON does not hold the text. */
const withoutDocument = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'doc' ? undefined : value));

describe('the answers of the contract’s stack', () => {
  let directory: string;
  let withoutRoute: Gateway;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'docs-assets-'));
    await writeDocsAssets(directory);
    withoutRoute = new Gateway(docsOperationsWith(assetsIn(pathToFileURL(`${directory}/`))));
  });

  afterAll(() => rm(directory, { recursive: true }));

  test('cover operations that exist', () => {
    expect(ready.length).toBeGreaterThan(0);
    console.log(
      `${ready.length} of the oracle's ${ORACLE.length} cases run here; ` +
        `${ORACLE.filter((item) => !exists(item)).length} await their operation`,
    );
  });

  test.each(ready)('$method $path: $note', async (item) => {
    const { method, path, query, status, body } = item;
    const gateway = isRouting(item) ? withoutRoute : new Gateway(OPERATIONS);
    const routeKey = isRouting(item) ? '$default' : `${method} ${path}`;
    const received = await gateway.send({ routeKey, method, path, query, ...bodyOf(item) });
    // A case with status 200 only says which values an operation takes.
    if (status === 200) {
      expect(received.status).not.toBe(422);
      return;
    }
    expect({ status: received.status, body: JSON.parse(received.body) }).toEqual({
      status,
      body: withoutDocument(body),
    });
    expect(gateway.touched).toEqual([]);
  });
});
