import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EDGE_HEADER } from '../../shared/api/edge.ts';
import { type Request, startHub, type TestHub } from '../support/hub.ts';

/** Address of the distribution, which the gateway sees. */
const EDGE = '130.176.1.2';
/** Both keys that the hub of the tests knows. */
const KEYS = ['edge-key-before', 'edge-key-of-the-distribution'] as const;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

/** A request through the distribution: it appends the viewer, and the gateway appends the distribution. */
const through = (
  viewer: string,
  { forged = '', key = KEYS[1] }: { forged?: string; key?: string } = {},
): Request => ({
  sourceIp: EDGE,
  headers: {
    [EDGE_HEADER]: key,
    'x-forwarded-for': [forged, viewer, EDGE].filter(Boolean).join(', '),
  },
});

/** Asks for public data and returns the status with the address in the log. */
const asked = async (under: TestHub, request: Request): Promise<readonly unknown[]> => {
  hub.log.length = 0;
  const { status } = await under.call('GET /get_strategy_categories', request);
  return [status, hub.log.at(-1)?.extra.address];
};

const behind = (edge: string): TestHub => hub.with({ HUB_EDGE: edge, HUB_EDGE_SECRET_ID: 'edge' });

describe('behind a locked distribution', () => {
  test('the caller is the viewer, whatever the caller writes into X-Forwarded-For', async () => {
    const under = behind('locked');
    for (const key of KEYS) {
      expect(await asked(under, through('203.0.113.9', { key }))).toEqual([200, '203.0.113.0/24']);
    }
    const forged = '198.51.100.7, 130.176.1.2';
    expect(await asked(under, through('203.0.113.9', { forged }))).toEqual([200, '203.0.113.0/24']);
    expect(await asked(under, through('2001:db8:7:8::9'))).toEqual([200, '2001:db8:7::/48']);
  });

  test('the caller is the viewer if the gateway appends no address', async () => {
    const headers = { [EDGE_HEADER]: KEYS[1], 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    expect(await asked(behind('locked'), { sourceIp: EDGE, headers })).toEqual([200, '203.0.113.0/24']);
  });

  test('a request around it is refused, also with a wrong key', async () => {
    const under = behind('locked');
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    const refused = await under.call('GET /get_strategy_categories', { sourceIp: '198.51.100.7', headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'address_refused']);
    expect(await asked(under, { sourceIp: '198.51.100.7', headers })).toEqual([403, '198.51.100.0/24']);
    const guessed = { ...headers, [EDGE_HEADER]: 'edge-key' };
    expect(await asked(under, { sourceIp: '198.51.100.7', headers: guessed })).toEqual([
      403,
      '198.51.100.0/24',
    ]);
    expect(JSON.stringify(hub.log)).not.toContain('edge-key');
  });

  test('budgets and limits count for the viewer', async () => {
    const under = hub.with({
      HUB_EDGE: 'locked',
      HUB_EDGE_SECRET_ID: 'edge',
      HUB_RATE_LIMITS: JSON.stringify({
        window_s: 10,
        credential: { read: 3, write: 3, work: 3 },
        network: { read: 2, write: 2, work: 2 },
      }),
    });
    const one = (forged: string) => asked(under, through('203.0.113.9', { forged }));
    expect(await one('192.0.2.1')).toEqual([200, '203.0.113.0/24']);
    expect(await one('192.0.2.2')).toEqual([200, '203.0.113.0/24']);
    expect(await one('192.0.2.3')).toEqual([429, '203.0.113.0/24']);
    expect(await asked(under, through('198.51.100.7'))).toEqual([200, '198.51.100.0/24']);
  });
});

test('behind an open distribution, a request around it counts for the address that sends it', async () => {
  const under = behind('open');
  expect(await asked(under, through('203.0.113.9'))).toEqual([200, '203.0.113.0/24']);
  const headers = { [EDGE_HEADER]: 'edge-key', 'x-forwarded-for': '203.0.113.9' };
  expect(await asked(under, { sourceIp: '198.51.100.7', headers })).toEqual([200, '198.51.100.0/24']);
});

test('without a distribution, nothing that a caller writes changes its address', async () => {
  expect(await asked(hub, through('203.0.113.9'))).toEqual([200, '130.176.1.0/24']);
});
