import { DATE_ORDERS } from '../../shared/domain/candle-files/dialects.ts';
import { DECIMALS } from '../../shared/domain/candle-files/notation.ts';
import type { CandleChoices } from '../../shared/domain/candle-files/open-candles.ts';
import { ANCHORS } from '../../shared/domain/candles/anchor.ts';
import { oneOf, zoneOf } from './command-line.ts';

/** Options that say how a file of candles is written. */
export const CANDLE_OPTIONS = {
  'time-zone': { type: 'string' },
  dates: { type: 'string' },
  decimal: { type: 'string' },
  columns: { type: 'string' },
  anchor: { type: 'string' },
} as const;

/** Lines of the help of these options. */
export const CANDLE_HELP = `--time-zone ZONE       time zone of local times (the exchange's)
  --dates ORDER          order in dates such as 01/02/2024: ${DATE_ORDERS.join(', ')}
  --decimal MARK         mark of decimals: ${DECIMALS.join(', ')}
  --columns NAMES        names of the columns from the left, such as time,open,high,low,close,-,volume
  --anchor ANCHOR        start of the grid of candles within a day, if the file fits both: ${ANCHORS.join(', ')}`;

type Options = { readonly [name in keyof typeof CANDLE_OPTIONS]?: string | undefined };

/** Reads these options. @throws UsageError */
export const candleChoicesOf = (options: Options): Omit<CandleChoices, 'kind'> => ({
  zone: zoneOf(options['time-zone']),
  dates: options.dates === undefined ? undefined : oneOf('dates', DATE_ORDERS, options.dates),
  decimal: options.decimal === undefined ? undefined : oneOf('decimal', DECIMALS, options.decimal),
  columns: options.columns,
  anchor: options.anchor === undefined ? undefined : oneOf('anchor', ANCHORS, options.anchor),
});
