import * as z from 'zod';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key } from '../table/writes.ts';
import { asSetupMarkets } from './setup-markets.ts';

const headSchema = z.object({ last: z.number() });
const programsSchema = z.object({ program_ids: z.array(z.string()) });

/** Series whose newest bars tell the market time of a deployment. */
export type MarketClock = readonly Key[];

/** Returns the clock of a deployment. @param item the setup of a deployment; undefined: no clock. */
export const marketClockIn = (item: Item | undefined): MarketClock =>
  asSetupMarkets(item)?.legs.map(({ symbol, source }) => keys.series(symbol, source)) ?? [];

/** Returns the start of the newest bar; undefined without one. @param items read at the keys of the clock. */
export const marketTimeIn = (items: Items, clock: MarketClock): number | undefined => {
  const times = clock.flatMap((key) => {
    const head = itemWith(items, key);
    return head ? parseItem(headSchema, head).last : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
};

/** Program and series of a symbol of a deployment. */
export interface HubLeg {
  readonly program_id: string;
  readonly series: Key;
  readonly timeframe: Timeframe;
}

/** Returns the program and the series of a symbol; undefined for other symbols. @param item the setup of a deployment. */
export const hubLegIn = (item: Item | undefined, symbol: string): HubLeg | undefined => {
  const setup = asSetupMarkets(item);
  const legs = setup?.legs ?? [];
  const index = legs.findIndex((leg) => leg.symbol === symbol);
  const leg = legs[index];
  const program_id = item && parseItem(programsSchema, item).program_ids[index];
  return setup && leg && program_id !== undefined
    ? { program_id, series: keys.series(symbol, leg.source), timeframe: setup.timeframe }
    : undefined;
};
