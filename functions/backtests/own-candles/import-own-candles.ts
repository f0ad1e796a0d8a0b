import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { invalidValue, unknownUser } from '../../../shared/api/refusals.ts';
import { hasOtherFacts, importBars } from '../../../shared/data/candles/import-bars.ts';
import { isSameSeries, ownSeriesIn } from '../../../shared/data/candles/own-series.ts';
import { ownSymbol } from '../../../shared/data/candles/own-symbol.ts';
import { BarsTooLargeError } from '../../../shared/data/candles/packed-bars.ts';
import { readBars } from '../../../shared/data/candles/read-bars.ts';
import {
  ADJUSTMENTS,
  asSeries,
  factsOf,
  type Series,
  type SeriesFacts,
} from '../../../shared/data/candles/series.ts';
import { sealedSpan } from '../../../shared/data/candles/spans.ts';
import { adjust, type Budget, budgetOf, isSpent, spend } from '../../../shared/data/table/budgets.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { parseItem } from '../../../shared/data/table/parse-item.ts';
import { ConditionFailedError } from '../../../shared/data/table/store.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { type BarColumns, barCount, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { mergeBars } from '../../../shared/domain/candles/merge.ts';
import { sessionCalendarOf } from '../../../shared/domain/candles/session-calendar.ts';
import { instrumentSchema } from '../../../shared/domain/instruments/instrument-records.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import { MAX_OWN_BARS, ownCandleWork, tierOf } from '../../../shared/domain/plans.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import { noteSize, otherFacts, reserveRoom } from './keep-count.ts';
import { readPart } from './read-part.ts';
import { ownSeriesOut, presentOwnSeries } from './series-out.ts';

/** Numbers of a candle: start in milliseconds, open, high, low, close and volume. */
const NUMBERS = 6;
/** Six numbers of up to 20 characters each. */
const MAX_BYTES = 250_000;
const MAX_SOURCE = 64;

const importIn = extensionRecord(
  'OwnCandlesIn',
  z.strictObject({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    source: z.string().trim().min(1).max(MAX_SOURCE),
    adjustment: z.enum(ADJUSTMENTS).default('none'),
    session_open: z.string().optional(),
    bars: z.array(z.array(z.number()).length(NUMBERS)).min(1).max(MAX_OWN_BARS),
  }),
);

const importOut = extensionRecord(
  'OwnCandlesImport',
  z.object({ taken: integer(), added: integer(), replaced: integer(), series: ownSeriesOut }),
);

const exhausted = (call: Call, { endsAt }: Budget): HubError =>
  new HubError(
    'work_exhausted',
    'The imports of today have used up the budget. It is renewed at midnight UTC.',
    { retryAfterS: (endsAt - call.now.getTime()) / 1000 },
  );

/**
 * Counts the bars that the stored series does not have, and charges the candles of all items that the import touches: a
 * few bars rewrite whole items. Reading them is charged, too, if the budget does not cover it.
 *
 * @throws HubError work_exhausted
 */
const countNew = async (
  call: Call,
  { facts, stored }: { readonly facts: SeriesFacts; readonly stored: Series | undefined },
  bars: BarColumns,
  budget: Budget,
): Promise<number> => {
  const { start: from } = sealedSpan(facts.timeframe, bars.start[0] ?? 0);
  const { end: to } = sealedSpan(facts.timeframe, bars.start.at(-1) ?? 0);
  const touched = stored ? await readBars(call.store, stored, { from, to }) : columnsOf([]);
  const merged = mergeBars(touched, bars, 'keep');
  const units = barCount(merged.bars);
  if (await spend(call.store, budget, units)) return merged.added;
  await adjust(call.store, budget.key, units);
  throw exhausted(call, budget);
};

/** Returns the facts of candles that start with the session. @throws ValidationError for a market without one. */
const withAnchor = (facts: SeriesFacts, opening: string | undefined): SeriesFacts => {
  if (opening === undefined) return facts;
  const found = sessionCalendarOf(calendarById(facts.calendar), facts.timeframe, opening);
  if (typeof found !== 'string') return { ...facts, calendar: found.id };
  throw invalidValue(['body', 'session_open'], found, 'value_error.anchor');
};

/** Writes the bars. @throws ValidationError for bars that do not fit an item. @throws HubError changed_meanwhile */
const write = async (call: Call, facts: SeriesFacts, bars: BarColumns) => {
  try {
    return await importBars(call.store, facts, bars);
  } catch (error) {
    if (error instanceof BarsTooLargeError) {
      throw invalidValue(['body', 'bars'], error.message, 'value_error.candles');
    }
    if (error instanceof ConditionFailedError) {
      throw new HubError(
        'changed_meanwhile',
        'Another import of the same candles runs. Send the part again.',
      );
    }
    throw error;
  }
};

export const importOwnCandles = defineOperation({
  method: 'POST',
  path: '/import_own_candles',
  name: 'import_own_candles',
  summary: 'Import own candles',
  description:
    'Adds candles to a series of the user, under a symbol of the catalogue. Backtests and sweeps with `candles: own` use it; nobody else sees it, and nothing else uses it. Each candle is `[start in milliseconds, open, high, low, close, volume]`, oldest first. Stored candles with the same start are replaced; a repeat changes nothing. Only the first `taken` candles were imported: send the rest again.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: MAX_BYTES },
  input: { query: z.object({ user_id: z.string() }), json: importIn },
  output: importOut,
  errors: ['user_unknown', 'quota_reached', 'state_conflict', 'changed_meanwhile', 'work_exhausted'],
  table: 'write',
  rateClass: 'write',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    const { timeframe, source, adjustment } = json;
    const symbol = normaliseSymbol(json.symbol);
    const unknownSymbol = () =>
      invalidValue(['body', 'symbol'], 'there is no instrument of this symbol', 'value_error.symbol');
    if (symbol === undefined) throw unknownSymbol();
    const stored_as = ownSymbol(userId, symbol);
    const today = budgetOf(await call.keyRing(), 'own_candles_user', [userId], call.now);
    const own = {
      user: keys.user(userId),
      instrument: keys.instrument(symbol),
      series: keys.series(stored_as, timeframe),
      budget: today.key,
    };
    const items = await call.store.getMany(Object.values(own), { consistent: true });
    const user = asUser(itemWith(items, own.user));
    if (!user) throw unknownUser();
    const tier = tierOf(user);
    const budget = { ...today, max: ownCandleWork(tier) };
    if (isSpent(itemWith(items, own.budget), budget)) throw exhausted(call, budget);
    const instrument = itemWith(items, own.instrument);
    if (!instrument) throw unknownSymbol();
    const named = { symbol: stored_as, timeframe, source, adjustment };
    const facts = withAnchor(factsOf(parseItem(instrumentSchema, instrument), named), json.session_open);
    const stored = asSeries(itemWith(items, own.series));
    if (stored && hasOtherFacts(stored, facts)) throw otherFacts(stored, facts);
    const bars = readPart(json.bars, { facts, stored, now: call.now });
    const owned = {
      userId,
      tier,
      facts: { symbol, timeframe, source, adjustment, calendar: facts.calendar },
    };
    const awaited = await countNew(call, { facts, stored }, bars, budget);
    const expected = {
      count: (stored?.count ?? 0) + awaited,
      first: Math.min(stored?.first ?? Number.POSITIVE_INFINITY, bars.start[0] ?? 0),
      last: Math.max(stored?.last ?? Number.NEGATIVE_INFINITY, bars.start.at(-1) ?? 0),
    };
    const reserved = await reserveRoom(call, owned, expected, awaited);
    const { added, replaced } = await write(call, facts, bars);
    const after = { series: own.series, list: keys.ownSeries(userId) };
    const left = await call.store.getMany(Object.values(after), { consistent: true });
    const size = asSeries(itemWith(left, after.series)) ?? expected;
    const noted = ownSeriesIn(itemWith(left, after.list)).list.series.find((one) =>
      isSameSeries(one, reserved),
    );
    const isRight = noted && added === awaited && noted.first === size.first && noted.last === size.last;
    const entry = isRight ? noted : await noteSize(call, owned, size, awaited - added);
    return { taken: barCount(bars), added, replaced, series: presentOwnSeries(entry) };
  },
});
