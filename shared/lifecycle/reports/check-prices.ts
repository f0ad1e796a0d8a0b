import type { InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import type { Store } from '../../data/table/store.ts';
import { isAlwaysPositive } from '../../domain/instruments/instruments.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { decimal, isNegativeText } from '../../domain/money.ts';
import type { Report } from './report.ts';

/** Fields in which engines report zero for "none" or for allotted shares. */
const ORDER_PRICES = [
  'average_price',
  'price',
  'trigger_price',
  'stop_loss',
  'take_profit',
  'expected_price',
] as const;

/** Symbol with a price that only some markets have. */
interface UnusualPrice {
  readonly symbol: string;
  /** True if an instrument with positive prices may have it. */
  readonly isMeantAsNone: boolean;
}

const unusual = (symbol: string, price: string | number): UnusualPrice[] =>
  decimal(price).lte(0) ? [{ symbol, isMeantAsNone: false }] : [];

const unusualPrices = (report: Report): UnusualPrice[] => {
  switch (report.type) {
    case 'Quote Marked':
      return unusual(report.detail.symbol, report.detail.price);
    case 'Signal Raised':
      return unusual(report.detail.symbol, report.detail.price ?? 1);
    case 'Scanner Matched':
      return report.detail.matches.flatMap(({ symbol, price }) => unusual(symbol, price ?? 1));
    case 'Order Updated': {
      const { detail } = report;
      const isNegative = ORDER_PRICES.some((field) => isNegativeText(detail[field] ?? '0'));
      if (!isNegative && detail.expected_price !== '0') return [];
      return [{ symbol: detail.symbol, isMeantAsNone: !isNegative }];
    }
    default:
      return [];
  }
};

/**
 * Refuses impossible prices: below zero, and zero in quotes, signals and matches. Only such a price costs a
 * read of the catalogue. A symbol outside the catalogue may have any price.
 *
 * @returns the report, without a zero expected price if the instrument never has one
 * @throws MalformedEventError
 */
export const withPossiblePrices = async <E extends Report>(
  store: Store,
  report: E,
  { instruments, now }: { readonly instruments: InstrumentMemory; readonly now: Date },
): Promise<E> => {
  const prices = unusualPrices(report);
  if (prices.length === 0) return report;
  const classes = await Promise.all(
    prices.map(async ({ symbol, isMeantAsNone }) => {
      const contract = await instruments.find(store, symbol, now);
      if (!contract || !isAlwaysPositive(contract.asset_class)) return false;
      if (!isMeantAsNone) throw new MalformedEventError(`a price of ${symbol} is always positive`);
      return true;
    }),
  );
  return classes.includes(true) ? { ...report, detail: { ...report.detail, expected_price: null } } : report;
};
