import { lastClosed } from '../../data/candles/read-candles.ts';
import { asSeries } from '../../data/candles/series.ts';
import { commandWrite, type RecordedHold } from '../../data/engine/inputs.ts';
import { asSetupMarkets } from '../../data/engine/setup-markets.ts';
import type { Item } from '../../data/table/attributes.ts';
import { type Items, itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import type { Write } from '../../data/table/writes.ts';

/** A command to the accounts of a deployment that the hub runs. */
export interface HoldOrder extends Pick<RecordedHold, 'number' | 'type' | 'flatten'> {
  readonly deployment_id: number;
  /** Setup of the deployment. */
  readonly setup: Item | undefined;
}

/**
 * Returns the writes that record a command with the newest closed bar of each symbol, after which it takes effect. They
 * fail if a bar arrives meanwhile: the command would take effect before that bar.
 *
 * @param items heads of the series of the deployment.
 */
export const holdWrites = ({ deployment_id, setup, ...hold }: HoldOrder, items: Items): Write[] => {
  const markets = asSetupMarkets(setup);
  if (!markets) return [];
  const found = markets.legs.map(({ symbol, source }) => {
    const key = keys.series(symbol, source);
    return { symbol, key, series: asSeries(itemWith(items, key)) };
  });
  const afters = Object.fromEntries(
    found.map(({ symbol, series }) => [symbol, series ? lastClosed(series, markets.timeframe) : 0]),
  );
  return [
    commandWrite(deployment_id, { ...hold, afters }),
    ...found.map(({ key, series }) => ({
      check: key,
      if: series
        ? { condition: 'rev = :rev', values: { ':rev': series.rev } }
        : { condition: 'attribute_not_exists(pk)' },
    })),
  ];
};
