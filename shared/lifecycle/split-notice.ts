import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { ratioText } from '../domain/splits/ratio.ts';
import type { SeriesSplit } from '../domain/splits/split-bars.ts';
import type { Effect } from './effect.ts';

const NOTES =
  'Prices, quantities, stops and orders are in new units; cost and results stay as they were. ' +
  'Rules with absolute prices, points, units or cash mean other amounts now.';

/** Returns the notification and the entry of the audit trail for a split that was booked in a ledger. */
export const splitNotice = (
  symbol: string,
  split: SeriesSplit,
  before: Ledger,
  after: Ledger,
): Pick<Effect, 'notifications'> & Required<Pick<Effect, 'audit'>> => {
  const ratio = ratioText(split);
  const quantity = (of: Ledger): string => of.head.symbols[symbol]?.position?.quantity ?? '0';
  const details = {
    symbol,
    ratio,
    at: new Date(split.at).toISOString(),
    quantity_before: quantity(before),
    quantity_after: quantity(after),
  };
  return {
    notifications: [
      {
        kind: 'split',
        severity: 'info',
        symbol,
        title: `${symbol} is split ${ratio}`,
        body: NOTES,
        data: details,
      },
    ],
    audit: { action: 'split_booked', by: 'engine', reason: `Split ${ratio} of ${symbol}`, details },
  };
};
