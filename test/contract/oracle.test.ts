import { OPERATIONS } from '../../functions/operations.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { openServer } from '../../infra/local/gateway/server.ts';
import { encodeForm, Gateway, type Sent } from './gateway.ts';
import { ORACLE, type OracleCase } from './spec.ts';

const routes = new Set(OPERATIONS.map(({ routeKey }) => routeKey));

const routeKeyOf = ({ method, path }: OracleCase): string => `${method} ${path}`;

/** Tells whether a case is about routing: a known path with an unknown method, which no operation answers. */
const isRouting = ({ status }: OracleCase): boolean => status === 405;
const exists = (item: OracleCase): boolean => routes.has(routeKeyOf(item));

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

/** Removes the text from the answer to invalid JSON: the only difference to the contract's stack. */
const withoutDocument = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'doc' ? undefined : value));

describe('the answers of the contract’s stack', () => {
  test('cover operations that exist', () => {
    expect(ready.length).toBeGreaterThan(0);
    console.log(
      `${ready.length} of the oracle's ${ORACLE.length} cases run here; ` +
        `${ORACLE.filter((item) => !exists(item) && !isRouting(item)).length} await their operation`,
    );
  });

  test('for an unknown method of a path are the gateway’s own 404', async () => {
    const routing = ORACLE.filter(isRouting);
    expect(routing.length).toBeGreaterThan(0);
    const server = await openServer();
    try {
      const invoke = async (): Promise<never> => {
        throw new Error('no function is invoked');
      };
      const listener = createGateway({
        routes: OPERATIONS.map(({ routeKey }) => ({ routeKey, invoke })),
        port: server.port,
      });
      server.serve(listener);
      for (const { method, path } of routing) {
        expect(OPERATIONS.some((operation) => operation.path === path)).toBe(true);
        const response = await fetch(`http://localhost:${server.port}${path}`, { method });
        expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
      }
    } finally {
      await server.close();
    }
  });

  test.each(ready)('$method $path: $note', async (item) => {
    const { method, path, query, status, body } = item;
    const gateway = new Gateway(OPERATIONS);
    const received = await gateway.send({ routeKey: routeKeyOf(item), method, path, query, ...bodyOf(item) });
    // A case with status 200 only shows accepted values.
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
