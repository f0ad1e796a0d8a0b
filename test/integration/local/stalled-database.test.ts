import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { type Hub, startHub } from '../../../infra/local/hub.ts';
import { type Engine, startEngine } from '../../support/engine.ts';
import { STALLS, type Stall, type Stalling, startStalling } from '../../support/stalling.ts';

let engine: Engine;
let database: Stalling;
let hub: Hub;

beforeAll(async () => {
  engine = await startEngine();
  database = await startStalling(engine.endpoint);
  hub = await startHub({
    environment: { HUB_DYNAMODB_ENDPOINT: database.url },
    functions: FUNCTIONS.filter(({ name }) => name === 'user-access'),
    demoData: false,
    schedules: false,
    print: () => undefined,
  });
});

afterAll(async () => {
  database.stall = undefined;
  await hub.close();
  await database.close();
  await engine.stop();
});

const blloo = async () => {
  const begun = performance.now();
  const response = await fetch(`${hub.url}/blloo`);
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body, ms: performance.now() - begun };
};

describe.each(Object.keys(STALLS) as Stall[])('a database that %s', (stall) => {
  it('delays a request by a few seconds, and the answer says that it may be repeated', async () => {
    database.stall = undefined;
    expect(await blloo()).toMatchObject({ status: 200 });
    const stalledBefore = database.stalled();
    database.stall = stall;
    const { status, headers, body, ms } = await blloo();
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        detail: expect.stringMatching(/in time/),
        code: 'unavailable',
        request_id: headers.get('apigw-requestid'),
      },
    });
    expect(headers.get('retry-after')).toBe('5');
    expect(ms).toBeGreaterThan(3_000);
    expect(ms).toBeLessThan(8_000);
    expect(database.stalled() - stalledBefore).toBe(2);
    database.stall = undefined;
    expect(await blloo()).toMatchObject({ status: 200 });
  });
});
