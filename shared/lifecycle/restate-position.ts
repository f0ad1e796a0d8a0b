import { unpackLedger } from '../data/books/packed-ledger.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { applySplitTo } from '../domain/ledger/book-split.ts';
import { daysOf, type Ledger } from '../domain/ledger/ledger-state.ts';
import { firstOpenDay } from '../domain/ledger/market-days.ts';
import { unitsHeldFrom } from '../domain/ledger/splits.ts';
import type { SeriesSplit } from '../domain/splits/split-bars.ts';
import type { Effect } from './effect.ts';
import { withLedger } from './order-change.ts';
import { splitNotice } from './split-notice.ts';

/** A deployment after the splits of a position that it had not booked, and what tells of them. */
export interface Restated {
  readonly deployment: TradingDeployment;
  readonly ledger: Ledger;
  readonly notices: readonly ReturnType<typeof splitNotice>[];
}

/**
 * Books the splits of a series since the position was last traded. No engine does it for a position that signals opened.
 * The prices of its next order, and of a close by hand, are in new units.
 *
 * @param splits whose time has come, oldest first.
 * @throws LedgerError if the books refuse a split
 */
export const restatePosition = (
  deployment: TradingDeployment,
  symbol: string,
  splits: readonly SeriesSplit[],
): Restated => {
  let ledger = unpackLedger(deployment.ledger);
  const notices: ReturnType<typeof splitNotice>[] = [];
  const position = ledger.head.symbols[symbol]?.position;
  if (!position) return { deployment, ledger, notices };
  const heldFrom = unitsHeldFrom(ledger, symbol, position);
  // Days that are closed have prices in old units.
  const open = daysOf(ledger).startOf(firstOpenDay(ledger));
  for (const [index, split] of splits.filter(({ at }) => at > heldFrom).entries()) {
    const at = Math.max(split.at, open + index);
    const { ledger: after } = applySplitTo(ledger, { symbol, ratio: split, at }) ?? { ledger };
    notices.push(splitNotice(symbol, split, ledger, after));
    ledger = after;
  }
  return { deployment: notices.length > 0 ? withLedger(deployment, ledger) : deployment, ledger, notices };
};

/**
 * Adds the notices of splits to an effect. One entry of the audit trail fits: that of the effect, for example of a limit
 * which the order has reached, else that of the newest split.
 */
export const withNotices = (effect: Effect, notices: Restated['notices']): Effect => {
  const newest = notices.at(-1);
  if (!newest) return effect;
  const news = notices.flatMap(({ notifications }) => notifications);
  return {
    ...effect,
    notifications: [...news, ...effect.notifications],
    audit: effect.audit ?? newest.audit,
  };
};
