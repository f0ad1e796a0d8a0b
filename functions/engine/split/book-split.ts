import { priceText } from '../../../shared/data/candles/last-prices.ts';
import { hasRealOrders, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { AccountFaultError } from '../../../shared/domain/engine/running/account-fault.ts';
import { applySplitTo, isTradedFrom, passedSplit } from '../../../shared/domain/ledger/book-split.ts';
import { applyQuote } from '../../../shared/domain/ledger/ledger-events.ts';
import { type Ledger, LedgerError } from '../../../shared/domain/ledger/ledger-state.ts';
import { lastRate } from '../../../shared/domain/ledger/marks.ts';
import { ratioText } from '../../../shared/domain/splits/ratio.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { realizedWrites, tradeWrites, withLedger } from '../../../shared/lifecycle/order-change.ts';
import { splitNotice } from '../../../shared/lifecycle/split-notice.ts';
import type { Runtime } from '../../../shared/runtime.ts';

/** A split, with the close of the newest bar before it. */
export interface BookedSplit extends SeriesSplit {
  readonly close: number;
}

/** Returns the ledger with a split, and the effects; undefined if it has the split. @throws LedgerError */
const withSplit = (ledger: Ledger, symbol: string, { close, ...split }: BookedSplit) => {
  const { position } = ledger.head.symbols[symbol] ?? {};
  const rate = lastRate(ledger, symbol);
  const quoted = position
    ? applyQuote(ledger, {
        symbol,
        price: priceText(close),
        occurred_at: new Date(split.at - 1).toISOString(),
        rate,
      })
    : ledger;
  return applySplitTo(quoted, { symbol, ratio: split, at: split.at });
};

/**
 * Adds a split to the effect of the last report before it: the ledger in new units, the notification and the entry of
 * the audit trail. The same effect if the ledger has the split.
 *
 * @throws AccountFaultError if it cannot be booked.
 */
export const splitEffect = async (
  runtime: Runtime,
  effect: Effect,
  { deployment, ledger }: { readonly deployment: TradingDeployment; readonly ledger: Ledger },
  symbol: string,
  split: BookedSplit,
): Promise<Effect> => {
  let booked: ReturnType<typeof withSplit>;
  try {
    // Fills on paper have old units until the first bar: only those at a broker may have new ones.
    if (!hasRealOrders(deployment) && isTradedFrom(ledger, symbol, split.at)) throw passedSplit();
    booked = withSplit(ledger, symbol, split);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new AccountFaultError(`split ${ratioText(split)}: ${error.message}`);
  }
  if (!booked) return effect;
  const { ledger: after, effects } = booked;
  // Fills that are booked as of later than the split: results of orders and trades change.
  const trades = await tradeWrites(runtime, deployment, ledger, effects);
  const orders = await realizedWrites(runtime, deployment, effects.realized);
  const notice = splitNotice(symbol, split, ledger, after);
  return {
    ...effect,
    deployment: withLedger(deployment, after),
    ledger: after,
    ...(trades.writes.length + orders.length > 0 && {
      stageable: [...(effect.stageable ?? []), ...trades.writes, ...orders],
      changes: trades.changes,
      entries: { ...effect.entries, trades: trades.numbers },
    }),
    notifications: [...effect.notifications, ...notice.notifications],
    audit: notice.audit,
  };
};
