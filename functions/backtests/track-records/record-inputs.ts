import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { type RecordInputs, sealedRules } from '../../../shared/domain/track-records/chain.ts';
import { RECORD_TERMS } from '../../../shared/domain/track-records/terms.ts';

/** Returns what the chain of a record begins with. @param warmUp digests of the bars before the start, by symbol. */
export const inputsOfRecord = (
  { salt, engine_version, started_at }: Pick<TrackRecord, 'salt' | 'engine_version' | 'started_at'>,
  { rules, params, timeframe, currency, account, legs, read_from }: BacktestSetup,
  warmUp: readonly string[],
): RecordInputs => ({
  engine_version: engine_version ?? 0,
  rules_seal: sealedRules({ rules, params, salt }),
  timeframe,
  currency,
  terms: RECORD_TERMS,
  account,
  legs: legs.map(({ to: _, ...leg }) => leg),
  read_from,
  started_at: Date.parse(started_at),
  warm_up: [...warmUp],
});
