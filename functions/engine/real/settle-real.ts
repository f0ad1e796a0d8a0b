import { findAllOrders, orderKey } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import {
  asDeployment,
  hasRealOrders,
  type TradingDeployment,
} from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { timeframeLength } from '../../../shared/domain/deployments/engines.ts';
import type { RealRequest } from '../../../shared/domain/engine/running/real-requests.ts';
import { exitText } from '../../../shared/domain/engine/running/reason-texts.ts';
import {
  type Settlement,
  settlePosition,
  settlingId,
} from '../../../shared/domain/engine/running/settle-position.ts';
import type { Ledger } from '../../../shared/domain/ledger/ledger-state.ts';
import { oldestOpenOrder } from '../../../shared/domain/ledger/manual-close.ts';
import { markOf } from '../../../shared/domain/ledger/marks.ts';
import { decimal, toText } from '../../../shared/domain/money.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { allowedBy } from '../../../shared/lifecycle/engine-accounts/advance-real-account.ts';
import { decideBooksReport } from '../../../shared/lifecycle/reports/decide-books-report.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { isStale, OutdatedError } from '../passing-errors.ts';
import { factsOf, freshFrom, messagesOf, reportOf } from './order-messages.ts';

/** Attempts whose writes are refused, in a row. */
const MAX_ATTEMPTS = 8;
/** Longest time for which a close that failed is not requested again, in milliseconds. */
const MAX_RETRY_MS = 5 * 60_000;
const REASON = 'the deployment has failed';

/** A symbol of a deployment whose account can decide nothing any more. */
export interface FailedLeg {
  readonly deployment_id: number;
  readonly symbol: string;
}

/** Returns the close of what is left of a position, at the newest price in the books. */
const closeRequest = (
  { version }: TradingDeployment,
  ledger: Ledger,
  symbol: string,
  { close }: Settlement,
  now: Date,
): RealRequest | undefined => {
  const position = ledger.head.symbols[symbol]?.position;
  if (!position || close.eq(0)) return undefined;
  const client_order_id = settlingId(symbol, version);
  return {
    kind: 'close',
    at: now.getTime(),
    client_order_id,
    symbol,
    side: decimal(position.quantity).gt(0) ? 'sell' : 'buy',
    order_type: 'market',
    quantity: toText(close),
    expected_price: markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always').price,
    status_message: exitText('flatten'),
    // Only a ledger of an old version does not know the order.
    closes: oldestOpenOrder(ledger, symbol) ?? client_order_id,
    reason: 'flatten',
    flatten: true,
  };
};

const settlementOf = async (
  { store, clock }: EngineRuntime,
  deployment: TradingDeployment,
  ledger: Ledger,
  { symbol }: FailedLeg,
): Promise<Settlement> => {
  const now = clock();
  const orders = await findAllOrders(store, deployment.deployment_id);
  return settlePosition({
    held: decimal(ledger.head.symbols[symbol]?.position?.quantity ?? '0'),
    orders: orders.filter((order) => order.symbol === symbol),
    flatten: allowedBy(deployment).flatten && !deployment.missing?.includes(symbol),
    answersFrom: freshFrom(deployment, now),
    retriesFrom: now.getTime() - Math.min(MAX_RETRY_MS, timeframeLength(deployment.timeframe) / 2),
  });
};

/** Writes the requests of a settlement, and the order of its close, in one transaction. */
const request = async (
  engine: EngineRuntime,
  deployment: TradingDeployment,
  { symbol }: FailedLeg,
  settlement: Settlement,
): Promise<void> => {
  const { deployment_id, version } = deployment;
  const key = orderKey({ deployment_id, client_order_id: settlingId(symbol, version) });
  await changeDeployment(
    engine,
    deployment_id,
    async (found, now, items): Promise<Effect> => {
      // Every change of an order changes the deployment, so the settlement is of the orders as they are.
      if (found?.kind !== 'live' || found.version !== version) throw new OutdatedError();
      const close = closeRequest(found, unpackLedger(found.ledger), symbol, settlement, now);
      const report = close && reportOf(found, close, now);
      const { instruments } = engine.memory;
      const known = { now, items, recalled: undefined, instruments, facts: factsOf(close) };
      const effect = report && (await decideBooksReport(engine, found, report, known));
      const cancels = settlement.cancels.map(
        (client_order_id): RealRequest => ({
          kind: 'cancel',
          at: now.getTime(),
          client_order_id,
          symbol,
          status_message: REASON,
          isLost: false,
        }),
      );
      const requests = close ? [...cancels, close] : cancels;
      return {
        deployment: found,
        notifications: [],
        ...effect,
        messages: [...(effect?.messages ?? []), ...requests.flatMap((each) => messagesOf(found, each, now))],
      };
    },
    [key],
  );
};

const settleOnce = async (engine: EngineRuntime, leg: FailedLeg): Promise<boolean> => {
  const [item] = await engine.store.getMany([keys.deployment(leg.deployment_id)], { consistent: true });
  const deployment = asDeployment(item);
  if (!deployment || !hasRealOrders(deployment)) return true;
  const settlement = await settlementOf(engine, deployment, unpackLedger(deployment.ledger), leg);
  const { cancels, close, isDone } = settlement;
  if (cancels.length > 0 || close.gt(0)) await request(engine, deployment, leg, settlement);
  return isDone;
};

/**
 * Does what is left to do at the broker for a symbol whose account has failed: its books name the orders to cancel and,
 * if the deployment is flattened, the position to close. Needs neither the account nor its program. Safe to repeat, and
 * for several workers at once.
 *
 * @returns whether nothing of it is at the broker, or nothing that is to be closed.
 */
export const settleReal = async (engine: EngineRuntime, leg: FailedLeg): Promise<boolean> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await settleOnce(engine, leg);
    } catch (error) {
      if (!isStale(error) || tries === MAX_ATTEMPTS) throw error;
      // Others change the deployment, as the accounts of its other symbols do.
      if (error instanceof OutdatedError) tries = 0;
    }
  }
};
