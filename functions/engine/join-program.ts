import { closedUntil } from '../../shared/data/candles/read-candles.ts';
import { asSeries, type Series } from '../../shared/data/candles/series.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import {
  asProgram,
  asProgramShards,
  type EngineProgram,
  newProgramWrites,
  programWrite,
  shardWithRoom,
} from '../../shared/data/engine/programs.ts';
import type { LegStart } from '../../shared/data/engine/setups.ts';
import {
  asStoredProgram,
  isOfOtherUnits,
  joinWrite,
  newStateWrite,
  type StoredProgram,
  stateRemoval,
} from '../../shared/data/engine/states.ts';
import { newSubWrites, type Sub, subIn, subKeys } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { settingsOf } from '../../shared/domain/engine/backtest/leg-settings.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../shared/domain/engine/backtest/warm-up.ts';
import { canonicalRules } from '../../shared/domain/engine/rules/canonical.ts';
import type { ResolvedRules } from '../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../shared/domain/engine/rules/rules-hash.ts';
import {
  isActive,
  openPaperAccount,
  savePaperAccount,
} from '../../shared/domain/engine/running/paper-account.ts';
import {
  isRealActive,
  openRealAccount,
  saveRealAccount,
} from '../../shared/domain/engine/running/real-account.ts';
import { type LoadedProgram, loadProgram } from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { requireNoSplit } from './split/split-pending.ts';
import { observeAll, saveWarming } from './warm-up.ts';

/** A leg of a deployment that joins its program. */
export interface Joining {
  readonly deploymentId: number;
  readonly kind: Deployment['kind'];
  /** True if a broker fills its orders. */
  readonly isReal: boolean;
  readonly programId: string;
  readonly leg: BacktestSetupLeg;
  readonly setup: BacktestSetup;
  readonly rules: ResolvedRules;
}

const newStored = ({ programId, leg, setup, rules }: Joining, series: Series | undefined): StoredProgram => {
  const { timeframe } = setup;
  const from = series
    ? Math.max(series.first, closedUntil(series, timeframe) - warmUpOf(rules, timeframe))
    : 0;
  return {
    program_id: programId,
    symbol: leg.symbol,
    timeframe,
    source: leg.source,
    calendar: leg.calendar,
    from,
    state_at: from - 1,
    program: { rules: canonicalRules(rules), saved: '' },
    joined: 0,
    ...(series?.splits && { splits: series.splits.length }),
  };
};

/** Returns the subscription of a deployment that hears of the next bars: a paper account, or one for signals. */
const subOf = (
  { deploymentId, kind, isReal, programId, leg, setup }: Joining,
  { running, at: last }: LoadedProgram,
): Sub => {
  const hasBars = running.index > 0;
  // Without any bar yet, those before the deployment only warm the program up.
  const at = hasBars ? last : (setup.from ?? 0) - 1;
  const common = {
    program_id: programId,
    deployment_id: deploymentId,
    symbol: leg.symbol,
    joined_at: at,
    rev: 1,
  };
  if (kind !== 'live') return { kind: 'N', ...common };
  const { financing: _, ...account } = setup.account;
  const { swap, ...terms } = leg;
  const settings = settingsOf({ account }, { ...terms, ...(swap && { swap }) });
  const { trading } = running.program;
  const cursor = { at, index: running.index };
  const begun = { ...common, at, decisions: [] };
  if (isReal) {
    const own = openRealAccount(settings, trading, leg.symbol, cursor);
    const saved = hasBars ? saveRealAccount(own) : '';
    const kind = isRealActive(own) ? 'A' : 'F';
    return { kind, is_live: true, ...begun, paper: { settings, saved } };
  }
  const paper = openPaperAccount(settings, trading, leg.symbol, cursor);
  const saved = hasBars ? savePaperAccount(paper) : '';
  return { kind: isActive(paper) ? 'A' : 'F', ...begun, paper: { settings, saved } };
};

const programOf = (
  { rules }: Joining,
  { stored, at }: LoadedProgram,
  { shard, busy }: Pick<EngineProgram, 'shard' | 'busy'>,
): EngineProgram => ({
  program_id: stored.program_id,
  symbol: stored.symbol,
  timeframe: stored.timeframe,
  source: stored.source,
  calendar: stored.calendar,
  rules_hash: rulesHash(rules),
  shard,
  from: stored.from,
  at,
  saved_at: at,
  busy,
  ...(stored.splits !== undefined && { splits: stored.splits }),
  rev: 1,
});

/** Returns the writes that let a program that is listed or warm work for an account. */
const programWrites = async (
  { store }: EngineRuntime,
  joining: Joining,
  loaded: LoadedProgram,
  sub: Sub,
  shardsItem: Item | undefined,
): Promise<Write[]> => {
  const { stored } = loaded;
  const busy = sub.kind === 'A';
  if (stored.in_shard === undefined) {
    const shards = asProgramShards(shardsItem);
    const shard = shardWithRoom(shards);
    const program = programOf(joining, loaded, { shard, busy });
    return [joinWrite(stored, shard), ...newProgramWrites(program, shards)];
  }
  if (!busy) return [joinWrite(stored)];
  const key = keys.program(stored.symbol, stored.timeframe, stored.in_shard, stored.program_id);
  const [item] = await store.getMany([key], { consistent: true });
  const program = asProgram(item);
  return [joinWrite(stored), ...(program ? [programWrite(program, { busy })] : [])];
};

/**
 * Lets a program work for a deployment from the next bar on. Makes the program if it is missing, and warms it up over
 * the stored bars. Idempotent.
 *
 * @returns the place in the program's bars; undefined if there was no time to warm up: a repeat goes on.
 * @throws SplitPendingError
 */
export const joinProgram = async (engine: EngineRuntime, joining: Joining): Promise<LegStart | undefined> =>
  retryOnConflict(async () => {
    const { store } = engine;
    const { deploymentId, programId, leg, setup } = joining;
    const own = {
      state: keys.programState(programId),
      series: keys.series(leg.symbol, leg.source),
      shards: keys.programShards(leg.symbol, setup.timeframe),
    };
    const wanted = [...Object.values(own), ...subKeys(programId, deploymentId)];
    const items = await store.getMany(wanted, { consistent: true });
    const series = asSeries(itemWith(items, own.series));
    requireNoSplit(series);
    const known = asStoredProgram(itemWith(items, own.state));
    const joined = subIn(items, programId, deploymentId);
    if (known && joined) return { from: known.from, joined_at: joined.joined_at };
    const isOutdated = known !== undefined && isOfOtherUnits(known, series);
    const stored = known && !isOutdated ? known : newStored(joining, series);
    if (isOutdated) await store.transact([stateRemoval(known)]);
    if (stored !== known) await store.transact([newStateWrite(stored)]);
    const loaded = loadProgram(stored);
    const isWarm = !series || (await observeAll(engine, series, loaded, Number.POSITIVE_INFINITY));
    if (stored.in_shard === undefined) await saveWarming(engine, loaded);
    if (!isWarm) return undefined;
    const sub = subOf(joining, loaded);
    await store.transact([
      // With another bar meanwhile, the account would miss it.
      {
        check: own.series,
        if: series
          ? { condition: 'rev = :rev', values: { ':rev': series.rev } }
          : { condition: 'attribute_not_exists(pk)' },
      },
      ...(await programWrites(engine, joining, loaded, sub, itemWith(items, own.shards))),
      ...newSubWrites(sub),
    ]);
    return { from: stored.from, joined_at: sub.joined_at };
  });
