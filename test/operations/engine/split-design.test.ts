import { expect, test } from '@jest/globals';
import { observeAll } from '../../../functions/engine/warm-up.ts';
import { packLedger, unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asProgram, type EngineProgram } from '../../../shared/data/engine/programs.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { asStoredProgram } from '../../../shared/data/engine/states.ts';
import { readSub, subWrites } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { pack } from '../../../shared/data/table/packed.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import {
  restorePaperAccount,
  savePaperAccount,
} from '../../../shared/domain/engine/running/paper-account.ts';
import { saveProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { splitPaper } from '../../../shared/domain/engine/running/split-paper.ts';
import { applySplitTo } from '../../../shared/domain/ledger/book-split.ts';
import { positionsOf, totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { splitBars } from '../../../shared/domain/splits/split-bars.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import { loadProgram, recallOrLoad } from '../../../shared/lifecycle/engine-accounts/program-memory.ts';
import { serveAccounts } from '../../support/functions/engine.ts';
import { BITCOIN, expectedFills, feed, fillsOf } from '../../support/hub-deployments.ts';
import { startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const WARM = 30;
const SPLIT = 40;
const RATIO = { units: 2, of: 1 };
const BARS = randomBars(11, WARM + 40);
const AT = BARS.start[SPLIT] ?? 0;
const ADJUSTED = splitBars(BARS, [{ at: Number.POSITIVE_INFINITY, ...RATIO }]);
const RULES = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 12 } }] });

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));
const { store } = hub.runtime;

const ledgerOf = async (id: number) => {
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('no deployment');
  return unpackLedger(deployment.ledger);
};

/** Replaces the candles before the split by restated ones, as reading them will show them. */
const restateCandles = async () => {
  await removeSeries(store, BITCOIN);
  return (await appendBars(store, BITCOIN, sliceBars(ADJUSTED, 0, SPLIT))).series;
};

const restateAccount = async (programId: string, id: number): Promise<void> => {
  const sub = await readSub(store, programId, id);
  if (!sub || sub.kind === 'N') throw new Error('no account');
  const paper = restorePaperAccount(sub.paper.settings, sub.paper.saved);
  const plan = loadProgram(await storedOf(programId)).running.program.trading;
  expect(splitPaper(paper, plan, RATIO)).toEqual([]);
  const after = { ...sub, paper: { ...sub.paper, saved: savePaperAccount(paper) } };
  await changeDeployment(hub.runtime, id, (found) => {
    if (found?.kind !== 'live') return undefined;
    const booked = applySplitTo(unpackLedger(found.ledger), { symbol: 'BTCUSD', ratio: RATIO, at: AT });
    const ledger = booked?.ledger;
    return (
      ledger && {
        deployment: { ...found, ledger: packLedger(ledger) },
        notifications: [],
        ledger,
        at: new Date(AT - 1),
        writes: subWrites(sub, after),
      }
    );
  });
};

const storedOf = async (programId: string) => {
  const [item] = await store.getMany([keys.programState(programId)], { consistent: true });
  const stored = asStoredProgram(item);
  if (!stored) throw new Error('no program');
  return stored;
};

const programOf = async (programId: string): Promise<EngineProgram> => {
  const { in_shard = 0 } = await storedOf(programId);
  const key = keys.program('BTCUSD', '1d', in_shard, programId);
  const program = asProgram((await store.getMany([key], { consistent: true }))[0]);
  if (!program) throw new Error('no program');
  return program;
};

/** Stores active accounts after the last bar in old units: most bars store none. */
const saveAccounts = async ({ engine }: Worker, programId: string): Promise<void> => {
  const program = await programOf(programId);
  const { loaded } = await recallOrLoad(store, engine.memory.programs, [program]);
  const own = loaded.get(programId);
  if (!own) throw new Error('no program');
  const { calendar } = own.stored;
  const span = { running: own.running, calendar, frames: [...own.frames], end: own.at };
  const served = await serveAccounts(engine, program, span, 'A', { save: true });
  expect(served).toMatchObject({ failures: [], isBehind: false });
};

const rewarm = async (
  programId: string,
  series: Awaited<ReturnType<typeof restateCandles>>,
): Promise<void> => {
  const stored = await storedOf(programId);
  const program = await programOf(programId);
  const key = keys.program('BTCUSD', '1d', program.shard, programId);
  const from = stored.from - 1;
  const next = loadProgram({ ...stored, from, program: { ...stored.program, saved: '' } });
  expect(await observeAll(worker(hub).engine, series, next, Number.POSITIVE_INFINITY)).toBe(true);
  const state = {
    state_at: next.at,
    from,
    program: pack({ ...stored.program, saved: saveProgram(next.running) }),
  };
  await store.transact([
    { key: keys.programState(programId), set: state },
    { key, set: { from, at: next.at, saved_at: next.at, rev: program.rev + 1 } },
  ]);
};

test('accounts, books and programs that are restated between two bars go on as on adjusted candles', async () => {
  const workers = [worker(hub), worker(hub)];
  const [first] = workers;
  if (!first) throw new Error('no worker');
  await appendBars(store, BITCOIN, sliceBars(BARS, 0, WARM));
  const ids: number[] = [];
  for (let each = 0; each < 2; each++) {
    const { keygen } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe: '1d', rules: RULES });
    const { body } = await deployTrading(hub, keygen);
    ids.push(body.deployment_id);
    await startEngine(first, body.deployment_id);
  }
  const expected = await expectedFills(hub, ids[0] ?? 0, ADJUSTED);
  for (let bar = WARM; bar < SPLIT; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), workers);
  const before = await ledgerOf(ids[0] ?? 0);
  expect(positionsOf(before)).toHaveLength(1);
  const [item] = await store.getMany([keys.deploymentSetup(ids[0] ?? 0)], { consistent: true });
  const [programId = ''] = asDeploymentSetup(item)?.program_ids ?? [];
  await saveAccounts(first, programId);
  for (const id of ids) await restateAccount(programId, id);
  await rewarm(programId, await restateCandles());
  const after = await ledgerOf(ids[0] ?? 0);
  expect(totalsOf(after).equity).toBe(totalsOf(before).equity);
  expect(Number(positionsOf(after)[0]?.quantity)).toBe(2 * Number(positionsOf(before)[0]?.quantity));
  for (let bar = SPLIT; bar < BARS.start.length; bar++) {
    // Warm containers, and now and then a cold one.
    await feed(hub, sliceBars(ADJUSTED, bar, bar + 1), bar % 7 === 0 ? [worker(hub)] : workers);
  }
  for (const id of ids) {
    const fills = await fillsOf(hub, id);
    const shown = ({ at, side, price }: (typeof fills)[number]) => [at, side, at < AT ? price / 2 : price];
    expect(fills.length).toBeGreaterThan(3);
    expect(fills.map(shown)).toEqual(expected.map(({ at, side, price }) => [at, side, price]));
    expect(positionsOf(await ledgerOf(id)).length).toBeLessThanOrEqual(1);
  }
  expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
});
