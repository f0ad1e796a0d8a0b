import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';

/** Versions that the code of a test can run. */
const versions: number[] = [1, 2];
jest.unstable_mockModule('../../../shared/domain/engine/versions.ts', () => ({ ENGINE_VERSIONS: versions }));

const { advanceSeries } = await import('../../../functions/engine/advance-series.ts');
const { appendBars } = await import('../../../shared/data/candles/append-bars.ts');
const { asProgram } = await import('../../../shared/data/engine/programs.ts');
const { programIdsOf } = await import('../../../shared/data/engine/program-ids.ts');
const { asStoredProgram } = await import('../../../shared/data/engine/states.ts');
const { importBars, removeSeries } = await import('../../../shared/data/candles/import-bars.ts');
const { keys } = await import('../../../shared/data/table/keys.ts');
const { concatBars, sliceBars } = await import('../../../shared/domain/candles/bars.ts');
const { storedRules } = await import('../../../shared/domain/engine/backtest/stored-rules.ts');
const { commandDeployment } = await import('../../../shared/lifecycle/deployment-commands.ts');
const { DyingStore } = await import('../../support/backtest-jobs.ts');
const { BITCOIN, fillsOf, setupOf } = await import('../../support/hub-deployments.ts');
const { commandEngine, worker } = await import('../../support/hub-engine.ts');
const { openPaperDeployments } = await import('../../support/paper-deployments.ts');

const WARM = 30;
const BARS = randomBars(11, WARM + 24);
const SETUP = setupOf(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] }));

const papers = await openPaperDeployments(BARS, WARM);
const { hub, feedBars } = papers;
afterEach(() => {
  versions.splice(0, versions.length, 1, 2);
});

/** Returns a cold container of a stage with a version of the engine. */
const on = (version: string): Worker => worker(hub.with({ HUB_ENGINE_VERSION: version }));

/** Starts two deployments of one program, with the version 1. */
const start = (): Promise<number[]> => papers.start(on('1'), SETUP, 2);

/** A candle of the warm-up that is imported later. */
const MISSING = 20;

/** Stores the bars of the warm-up without one. */
const leaveOut = async (): Promise<void> => {
  const { store } = hub.runtime;
  await removeSeries(store, BITCOIN);
  await importBars(
    store,
    BITCOIN,
    concatBars([sliceBars(BARS, 0, MISSING), sliceBars(BARS, MISSING + 1, WARM)]),
  );
};

const importMissing = (): Promise<void> => importBars(hub.runtime.store, BITCOIN, papers.oneBar(MISSING));

/** Lets the version 1 go on with the program before the next bar. */
const handOver = async (): Promise<void> => {
  const { series } = await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, 0));
  await advanceSeries(on('1').engine, series, ['1d']);
};

/** Returns the open trades of a deployment, and the exits as the engine explains them. */
const explained = async (id: number, version: string) => {
  const query = { user_id: papers.owner().user_id, deployment_id: String(id) };
  const { body } = await hub
    .with({ HUB_ENGINE_VERSION: version })
    .call('GET /get_deployment_engine', { query });
  const [{ trades, evaluation }] = body.symbols;
  return { trades, exits: evaluation.exits };
};

const expectAllFills = (ids: readonly number[]): Promise<void> => papers.expectAllFills(ids, 1);

/** Returns the versions in the list and in the saved state of the program. */
const stored = async () => {
  const [id = ''] = programIdsOf(SETUP, storedRules(SETUP));
  const { store } = hub.runtime;
  const [state] = (await store.getMany([keys.programState(id)], { consistent: true })).map(asStoredProgram);
  const [item] = await store.getMany([keys.program('BTCUSD', '1d', state?.in_shard ?? 0, id)], {
    consistent: true,
  });
  return { listed: asProgram(item)?.engine_version, saved: state?.engine_version, at: state?.state_at };
};

describe('the active version of the engine', () => {
  test('changes between two bars of a program in flight, forth and back, and no bar is lost or traded twice', async () => {
    const ids = await start();
    const [one, two] = [on('1'), on('2')];
    await feedBars(WARM, 39, () => [one]);
    expect(await stored()).toMatchObject({ listed: 1, saved: 1 });
    const before = await fillsOf(hub, ids[0] ?? 0);
    await feedBars(39, 40, () => [two]);
    expect(await stored()).toEqual({ listed: 2, saved: 2, at: BARS.start[39] });
    expect((await fillsOf(hub, ids[0] ?? 0)).slice(0, before.length)).toEqual(before);
    await feedBars(40, 47, () => [two]);
    expect(await stored()).toMatchObject({ listed: 2, saved: 2 });
    await feedBars(47, BARS.start.length, () => [on('1')]);
    expect(await stored()).toMatchObject({ listed: 1, saved: 1 });
    await expectAllFills(ids);
  });

  test('may differ between workers while a setting is deployed', async () => {
    const ids = await start();
    const workers = [on('1'), on('2'), on('1'), on('2')];
    // Two at once at every third bar.
    await feedBars(WARM, BARS.start.length, (bar) => {
      const first = bar % 4;
      return workers.slice(first, first + (bar % 3 === 0 ? 2 : 1));
    });
    await feedBars(BARS.start.length - 1, BARS.start.length, () => [on('2')]);
    await expectAllFills(ids);
  });

  test('follows a planned moment in all workers at once', async () => {
    // To the second.
    const from = Math.ceil(hub.runtime.clock().getTime() / 1000) * 1000 + 60_000;
    const plan = `1 2@${new Date(from).toISOString().slice(0, 19)}Z`;
    const ids = await start();
    const workers = [on(plan), on(plan)];
    await feedBars(WARM, 40, () => workers);
    expect(await stored()).toMatchObject({ listed: 1 });
    hub.advance(61_000);
    await feedBars(40, 41, () => workers);
    expect(await stored()).toMatchObject({ listed: 2, saved: 2 });
    await feedBars(41, BARS.start.length, () => workers);
    expect(await stored()).toMatchObject({ listed: 2 });
    await expectAllFills(ids);
  });

  test.each(
    (['single', 'together'] as const).flatMap((counted) =>
      [1, 2].flatMap((write) => [false, true].map((isAfter) => ({ counted, write, isAfter }))),
    ),
  )(
    'changes although a worker dies at a write: $counted $write, after it: $isAfter',
    async ({ counted, write, isAfter }) => {
      const ids = await start();
      const next = hub.with({ HUB_ENGINE_VERSION: '2' });
      const { store } = hub.runtime;
      await feedBars(WARM, 40, () => [on('1')]);
      const dying = worker(next, { store: new DyingStore(store, write, isAfter, counted) });
      await expect(feedBars(40, 41, () => [dying])).rejects.toThrow();
      // Workers of both versions, one after another and together.
      await feedBars(41, 47, (at) => [[on('1')], [on('2')], [on('1'), on('2')]][at % 3] ?? []);
      await feedBars(47, BARS.start.length, () => [on('2')]);
      await expectAllFills(ids);
      expect(await stored()).toMatchObject({ listed: 2, saved: 2 });
    },
  );

  test('goes back where the code no longer has the version of a program', async () => {
    const ids = await start();
    await feedBars(WARM, 40, () => [on('2')]);
    expect(await stored()).toMatchObject({ listed: 2, saved: 2 });
    versions.pop();
    await feedBars(40, BARS.start.length, () => [on('1')]);
    expect(await stored()).toMatchObject({ listed: 1, saved: 1 });
    await expectAllFills(ids);
  });

  test.each([true, false])(
    'changes after a missing candle of the warm-up was imported, while the code has the version before: %s',
    async (isKnown) => {
      await leaveOut();
      const ids = await papers.start(on('2'), SETUP, 2);
      // A trade is open.
      await feedBars(WARM, 40, () => [on('2')]);
      await importMissing();
      if (!isKnown) versions.pop();
      await feedBars(40, BARS.start.length, () => [on('1')]);
      await expectAllFills(ids);
    },
  );

  test.each([true, false])(
    'changes before a command to an open trade after such an import, while the code has the version before: %s',
    async (isKnown) => {
      await leaveOut();
      const [id = 0] = await papers.start(on('2'), SETUP, 1);
      let next = WARM;
      do {
        await feedBars(next, next + 1, () => [on('2')]);
        next += 1;
      } while ((await explained(id, '2')).trades.length === 0);
      const before = await explained(id, '2');
      await importMissing();
      if (isKnown) await handOver();
      else versions.pop();
      expect((await stored()).listed).toBe(isKnown ? 1 : 2);
      expect(await explained(id, '1')).toEqual(before);
      for (const action of ['pause', 'resume'] as const) {
        await commandDeployment(hub.runtime, id, { by: 'user', reason: 'Test.', action });
        await commandEngine(on('1'), id);
        expect(await explained(id, '1')).toEqual(before);
      }
      await feedBars(next, BARS.start.length, () => [on('1')]);
      await expectAllFills([id]);
    },
  );

  test('changes after such an import, and a flat account waits as many bars after a trade as its rules say', async () => {
    const rising = { left: { price: 'close' }, op: 'gt', right: { price: 'close', ago: 1 } };
    const exits = [{ side: 'long', when: { bars_in_trade: 1 } }];
    const waiting = setupOf(rulesWith(rising, { exits, cooldown_bars: 5 }));
    await leaveOut();
    const [id = 0] = await papers.start(on('2'), waiting, 1);
    let next = WARM;
    const feedNext = async (): Promise<void> => {
      await feedBars(next, next + 1, () => [on('2')]);
      next += 1;
    };
    do await feedNext();
    while ((await fillsOf(hub, id)).length < 2);
    await feedNext();
    await importMissing();
    await handOver();
    await feedBars(next, BARS.start.length, () => [on('1')]);
    await papers.expectAllFills([id], 2);
  });

  test('that the code does not have refuses all work and changes nothing', async () => {
    const ids = await start();
    await feedBars(WARM, 40, () => [on('1')]);
    const before = await stored();
    const error: unknown = await feedBars(40, 41, () => [on('3')]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      errors: [{ message: 'this code has no version 3 of the engine, only 1, 2' }],
    });
    expect(await stored()).toEqual(before);
    await feedBars(40, BARS.start.length, () => [on('1')]);
    await expectAllFills(ids);
  });

  test('is the one of new backtests; earlier ones are computed again with theirs', async () => {
    const rules = crossRules(2, 4);
    const json = { rules, symbol: 'BTCUSD', timeframe: '1d' };
    const query = { user_id: papers.owner().user_id };
    const next = hub.with({ HUB_ENGINE_VERSION: '2' });
    const first = await hub.call('POST /run_backtest', { query, json });
    const second = await next.call('POST /run_backtest', { query, json });
    expect([first.body.engine_version, second.body.engine_version]).toEqual([1, 2]);
    const full = (backtest_id: number) =>
      next.call('GET /get_backtest', { query: { ...query, backtest_id: String(backtest_id), full: 'true' } });
    expect((await full(first.body.backtest_id)).body).toMatchObject({ status: 'done', engine_version: 1 });
    versions.pop();
    expect((await full(second.body.backtest_id)).body).toMatchObject({ code: 'candles_changed' });
  });
});
