import { unpackLedger } from '../data/books/packed-ledger.ts';
import { swapChargeKey, swapChargeTerms, swapChargeWrite } from '../data/books/swap-charges.ts';
import { isHubRun, type TradingDeployment } from '../data/deployments/deployments.ts';
import { MAX_UNSTAGED } from '../data/deployments/staged-change.ts';
import { findInstruments } from '../data/instruments/instruments.ts';
import { itemWith } from '../data/table/items.ts';
import type { Write } from '../data/table/writes.ts';
import { rolloverAt, rolloverChargeId } from '../domain/instruments/rollover.ts';
import type { Trade } from '../domain/ledger/account.ts';
import { applySwapCharge } from '../domain/ledger/ledger-events.ts';
import { type DueRollover, dueRollovers, withRolloversBooked } from '../domain/ledger/ledger-rollovers.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { type Booked, NOTHING_REALIZED, type Realized, sumRealized } from '../domain/ledger/replay.ts';
import { type DueCharge, dueCharges, missingCharge } from '../domain/ledger/rollover-charges.ts';
import { addDays, type Day } from '../domain/periods.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import type { Effect } from './effect.ts';
import { realizedWrites, tradeWrites, withLedger } from './order-change.ts';

/** Charges that are read together. */
const MAX_CHARGES = 50;

/** Combined effect of several charges. They may change the same trades and orders, which a transaction names once. */
interface Charged {
  readonly ledger: Ledger;
  readonly writes: readonly Write[];
  readonly trades: ReadonlyMap<number, Trade | undefined>;
  readonly realized: ReadonlyMap<string, Realized>;
}

const addCharge = (before: Charged, { ledger, effects }: Booked, write: Write): Charged => {
  const trades = new Map(before.trades);
  for (const trade of effects.trades) trades.set(trade.number, trade);
  for (const number of effects.removed_trades) trades.set(number, undefined);
  const realized = new Map(before.realized);
  for (const [order, more] of effects.realized) {
    realized.set(order, sumRealized(realized.get(order) ?? NOTHING_REALIZED, more));
  }
  return { ledger, writes: [...before.writes, write], trades, realized };
};

const sizeOf = ({ writes, trades, realized }: Charged): number => writes.length + trades.size + realized.size;

/**
 * Books missing charges in order, as many as one transaction holds.
 *
 * @returns the combined effect, and the first charge that is left for the next transaction.
 */
const makeCharges = async (
  { store }: Runtime,
  { deployment_id: id }: TradingDeployment,
  before: Ledger,
  dues: readonly DueCharge[],
): Promise<{ readonly charged: Charged; readonly left: DueCharge | undefined }> => {
  const chargeKey = ({ day, symbol }: DueCharge) => swapChargeKey(id, rolloverChargeId(day, symbol));
  let charged: Charged = { ledger: before, writes: [], trades: new Map(), realized: new Map() };
  for (let at = 0; at < dues.length; at += MAX_CHARGES) {
    const looked = dues.slice(at, at + MAX_CHARGES);
    const [instruments, taken] = await Promise.all([
      findInstruments(
        store,
        looked.map(({ symbol }) => symbol),
      ),
      store.getMany(looked.map(chargeKey), { consistent: true }),
    ]);
    for (const [index, due] of looked.entries()) {
      const item = itemWith(taken, chargeKey(due));
      const terms = (item && swapChargeTerms(item)) ?? instruments[index];
      const missing = missingCharge(charged.ledger, due, { terms, isTaken: item !== undefined });
      const occurred_at = new Date(rolloverAt(due.day)).toISOString();
      const taking = missing && applySwapCharge(charged.ledger, { ...due, ...missing, occurred_at });
      if (!taking) continue;
      const next = addCharge(charged, taking, swapChargeWrite(id, missing.charge_id, terms));
      if (charged.writes.length > 0 && sizeOf(next) > MAX_UNSTAGED) return { charged, left: due };
      charged = next;
    }
    // Charges that were booked before take no room, so the next ones are looked at.
    if (charged.writes.length > 0) return { charged, left: dues[at + MAX_CHARGES] };
  }
  return { charged, left: undefined };
};

/** Returns the ledger with the rollovers before that of `left` marked as charged. */
const noted = (
  { ledger }: Charged,
  rollovers: readonly DueRollover[],
  left: DueCharge | undefined,
  through: Day,
): Ledger => {
  if (left === undefined) return withRolloversBooked(ledger, rollovers, through);
  const at = rollovers.findIndex(({ day }) => day === left.day);
  const isCorrection = rollovers[at]?.charged !== undefined;
  const last = isCorrection ? (ledger.rollovers?.through ?? through) : addDays(left.day, -1);
  return withRolloversBooked(ledger, rollovers.slice(0, at), last);
};

const roll = async (
  runtime: Runtime,
  deployment: TradingDeployment,
  through: Day,
): Promise<{ readonly effect?: Effect; readonly done: boolean }> => {
  const before = unpackLedger(deployment.ledger);
  const rollovers = dueRollovers(before, through);
  if (rollovers.length === 0) return { done: true };
  const { charged, left } = await makeCharges(runtime, deployment, before, rollovers.flatMap(dueCharges));
  const ledger = noted(charged, rollovers, left, through);
  const changed = await tradeWrites(runtime, deployment, before, {
    trades: [...charged.trades.values()].flatMap((trade) => trade ?? []),
    removed_trades: [...charged.trades].flatMap(([number, trade]) => (trade ? [] : [number])),
  });
  const moved = await realizedWrites(runtime, deployment, charged.realized);
  return {
    effect: {
      deployment: withLedger(deployment, ledger),
      ledger,
      notifications: [],
      writes: charged.writes,
      stageable: [...changed.writes, ...moved],
      changes: changed.changes,
      entries: { trades: changed.numbers },
    },
    done: left === undefined,
  };
};

/**
 * Charges a paper deployment for positions held at 17:00 New York, by the rates of the catalogue. Covers every
 * uncharged rollover up to `through`, and corrects charged ones that late events changed. Real deployments are
 * charged by their brokers, and engines report it. Idempotent.
 */
export const rollSwaps = async (runtime: Runtime, deploymentId: number, through: Day): Promise<void> => {
  let done = false;
  while (!done) {
    done = true;
    await changeDeployment(runtime, deploymentId, async (deployment) => {
      if (deployment?.kind !== 'live' || deployment.mode !== 'virtual') return undefined;
      // The account that the hub trades charges its own financing.
      if (isHubRun(deployment)) return undefined;
      const rolled = await roll(runtime, deployment, through);
      done = rolled.done;
      return rolled.effect;
    });
  }
};
