import type { Trade } from '../domain/ledger-account.ts';
import { applySwapCharge } from '../domain/ledger-events.ts';
import { positionsOf } from '../domain/ledger-read.ts';
import { NOTHING_REALIZED, type Realized, sumRealized } from '../domain/ledger-replay.ts';
import { rolloverAt, rolloverChargeId, swapOf } from '../domain/rollover.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment, type Effect } from './deployment-change.ts';
import type { LiveDeployment } from './deployments.ts';
import { findInstruments } from './instruments.ts';
import { unpackLedger } from './live-ledger.ts';
import { realizedWrites, tradeWrites, withLedger } from './live-order-change.ts';
import { swapChargeKey, swapChargeWrite } from './live-orders.ts';
import type { Write } from './store.ts';

const roll = async (
  runtime: Runtime,
  deployment: LiveDeployment,
  day: string,
): Promise<Effect | undefined> => {
  const at = rolloverAt(day);
  const before = unpackLedger(deployment.ledger);
  let ledger = before;
  const held = positionsOf(ledger).filter(({ opened_at }) => Date.parse(opened_at) < at);
  if (held.length === 0) return undefined;
  const { deployment_id: id } = deployment;
  const [instruments, taken] = await Promise.all([
    findInstruments(
      runtime.store,
      held.map(({ symbol }) => symbol),
    ),
    runtime.store.getMany(
      held.map(({ symbol }) => swapChargeKey(id, rolloverChargeId(day, symbol))),
      { consistent: true },
    ),
  ]);
  const writes: Write[] = [];
  // Several charges may touch the same trades and orders, which a transaction can name only once.
  const trades = new Map<number, Trade | undefined>();
  const realized = new Map<string, Realized>();
  for (const [index, position] of held.entries()) {
    const instrument = instruments[index];
    const price = position.last_price ?? position.average_price;
    const amount = instrument && !taken[index] ? swapOf(instrument, { ...position, price }, day) : undefined;
    if (amount === undefined) continue;
    const { symbol } = position;
    const charge_id = rolloverChargeId(day, symbol);
    const charge = { symbol, charge_id, occurred_at: new Date(at).toISOString(), amount };
    const charged = applySwapCharge(ledger, charge);
    if (!charged) continue;
    const [next, effects] = charged;
    ledger = next;
    writes.push(swapChargeWrite(id, charge.charge_id));
    for (const trade of effects.trades) trades.set(trade.number, trade);
    for (const number of effects.removed_trades) trades.set(number, undefined);
    for (const [order, more] of effects.realized) {
      realized.set(order, sumRealized(realized.get(order) ?? NOTHING_REALIZED, more));
    }
  }
  if (writes.length === 0) return undefined;
  const changed = tradeWrites(deployment, before, {
    trades: [...trades.values()].flatMap((trade) => trade ?? []),
    removed_trades: [...trades].flatMap(([number, trade]) => (trade ? [] : [number])),
  });
  return {
    deployment: withLedger(deployment, ledger),
    ledger,
    told: [],
    writes: [...writes, ...changed.writes, ...(await realizedWrites(runtime, deployment, realized))],
    entries: { trades: changed.numbers },
  };
};

/**
 * Charges a paper deployment for holding its positions over the rollover of a day, by the rates of the
 * catalogue. Brokers charge real ones, and engines report that. Once per day and symbol, however often it
 * comes.
 */
export const rollSwaps = async (runtime: Runtime, deploymentId: number, day: string): Promise<void> => {
  await changeDeployment(runtime, deploymentId, (deployment) =>
    deployment?.kind === 'live' && deployment.mode === 'virtual' ? roll(runtime, deployment, day) : undefined,
  );
};
