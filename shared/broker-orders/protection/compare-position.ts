import type { BrokerPosition } from '../../channels/execution/execution-broker.ts';
import { asStoredOrder, orderKey, type StoredOrder } from '../../data/books/orders.ts';
import { unpackLedger } from '../../data/books/packed-ledger.ts';
import { asDeployment, type Deployment } from '../../data/deployments/deployments.ts';
import { findProtections, type Protection } from '../../data/execution/protections.ts';
import { keys } from '../../data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { openQuantity } from '../../domain/ledger/manual-close.ts';
import { type Decimal, decimal, toText, zero } from '../../domain/money.ts';
import { ADAPTER_FACTS } from '../../domain/orders/execution-adapters.ts';
import { haltForMissing } from '../../lifecycle/missing-position.ts';
import { BROKER_DOUBTS, type ExecutionRuntime } from '../execution-runtime.ts';
import { isStopPassed, levelsOf, remainingOf, smaller, withTaken } from './figures.ts';
import { limitOf } from './keep-exits.ts';
import type { Listed } from './see-exits.ts';

/** Time for which a difference has to last, so that a fill on its way is none, in milliseconds. */
const CONFIRMED_MS = 15_000;

const LARGER = 'larger';
const SMALLER = 'smaller';

/** Books of a trade. */
export interface TradeBooks {
  readonly deployment: Deployment | undefined;
  readonly entry: StoredOrder | undefined;
}

/** Reads the books of trades, 100 items per call. Several may be of one deployment. */
export const readBooks = async (
  { store }: ExecutionRuntime,
  protections: readonly Protection[],
): Promise<TradeBooks[]> => {
  const places = protections.flatMap(({ deployment_id, entry }) => [
    keys.deployment(deployment_id),
    orderKey({ deployment_id, client_order_id: entry }),
  ]);
  const items = await store.getMany(places, { consistent: true });
  return protections.map((_, index) => ({
    deployment: asDeployment(items[2 * index]),
    entry: asStoredOrder(items[2 * index + 1]),
  }));
};

const symbolOf = (symbol: string): string => symbol.replaceAll('/', '');

const positionOf = ({ broker_symbol: own }: Protection, { positions }: Listed): BrokerPosition | undefined =>
  positions.find(({ symbol }) => symbolOf(symbol) === symbolOf(own));

/** Returns the size of the position of a trade at the broker, on its side. */
const heldOf = (protection: Protection, listed: Listed): Decimal => {
  const position = positionOf(protection, listed);
  return position?.side === protection.side ? decimal(position.quantity) : zero();
};

/** Returns a protection that closes at the market if the price has gone beyond the limit of its stop, which cannot fill. */
const beyondBand = (protection: Protection, listed: Listed): Protection => {
  const price = positionOf(protection, listed)?.price;
  const { stop } = levelsOf(protection);
  const resting = protection.exits.find(({ kind, state }) => kind === 'stop_limit' && state === 'open');
  if (protection.is_closing || !resting || price === undefined || stop === undefined) return protection;
  const limit = limitOf(protection, stop, resting.quantity);
  if (!isStopPassed(protection.side, limit, price) || decimal(price).eq(limit)) return protection;
  return { ...protection, is_closing: true, reason: 'The price went beyond the limit of the stop.' };
};

/**
 * Logs the positions of an account that no trade and no books of its deployments have: those of the owner, in a symbol that
 * a deployment trades. They are left alone.
 *
 * @returns the names under which they were reported, so that each is once.
 */
export const reportUnknown = (
  work: ExecutionRuntime,
  protections: readonly Protection[],
  listed: Listed,
  books: readonly TradeBooks[],
): string[] => {
  // An account without positions has what its owner holds for other reasons.
  if (ADAPTER_FACTS[work.adapter.name].isSpot) return [];
  const traded = new Set(protections.map(({ broker_symbol }) => symbolOf(broker_symbol)));
  const reported = new Set(protections.flatMap((each) => each.reported));
  const deployments = books.flatMap(({ deployment }) => (deployment?.kind === 'live' ? [deployment] : []));
  const isBooked = (symbol: string): boolean =>
    deployments.some(({ ledger }) => unpackLedger(ledger).head.symbols[symbol]?.position != null);
  const own = new Set(deployments.flatMap(({ symbols }) => symbols));
  return listed.positions.flatMap(({ symbol: given }) => {
    const symbol = symbolOf(given);
    const name = `unknown ${symbol}`;
    if (traded.has(symbol) || !own.has(symbol) || reported.has(name) || isBooked(symbol)) return [];
    const { deployment_id } = deployments.find(({ symbols }) => symbols.includes(symbol)) ?? {};
    work.log.error(BROKER_DOUBTS.differs, { deployment_id, symbol, position: 'unknown' });
    return [name];
  });
};

/** Returns the part of a position that the older trades of the deployment on the symbol leave to a trade. */
const shareOf = async (
  { store }: ExecutionRuntime,
  protection: Protection,
  held: Decimal,
): Promise<{ readonly own: Decimal; readonly all: Decimal }> => {
  const found = await findProtections(store, protection.deployment_id, protection.symbol);
  const others = found.filter(({ entry, due_at }) => entry !== protection.entry && due_at !== undefined);
  const older = others
    .filter(({ created_at }) => created_at < protection.created_at)
    .reduce((sum, each) => sum.plus(remainingOf(each)), zero());
  const all = others.reduce((sum, each) => sum.plus(remainingOf(each)), remainingOf(protection));
  const left = held.minus(older);
  return { own: left.lt(0) ? zero() : left, all };
};

/** Returns the quantity of a trade that the owner has left open in the books; undefined unless it was closed by hand. */
const leftInBooks = ({ deployment, entry }: TradeBooks): Decimal | undefined =>
  deployment?.kind === 'live' && entry && entry.close_value !== null
    ? openQuantity(unpackLedger(deployment.ledger), entry, { isClosedByHand: true })
    : undefined;

const reportedOnce = (
  work: ExecutionRuntime,
  protection: Protection,
  name: typeof LARGER | typeof SMALLER,
): Protection => {
  if (protection.reported.includes(name)) return protection;
  work.log.error(BROKER_DOUBTS.differs, { deployment_id: protection.deployment_id, position: name });
  return { ...protection, reported: [...protection.reported, name] };
};

const without = (protection: Protection, ...names: string[]): Protection => ({
  ...protection,
  reported: protection.reported.filter((name) => !names.includes(name)),
});

const BY_HAND = 'by-hand';

/** Ends the part of a trade that the books do not hold any more. */
const cutToBooks = (protection: Protection, left: Decimal): Protection => {
  const { closes } = protection;
  const gone = remainingOf(protection)
    .minus(left)
    .plus(closes[BY_HAND] ?? '0');
  return {
    ...protection,
    closes: { ...closes, [BY_HAND]: toText(gone) },
    ...(left.eq(0) && { is_entry_over: true }),
  };
};

/**
 * Compares the position of a trade at the broker with what the adapter and the books know of it. A difference counts once
 * it has lasted. Exits never cover more than the account and the books hold. A position that is smaller halts the
 * deployment; one that is larger is the owner's.
 */
export const comparePosition = async (
  work: ExecutionRuntime,
  before: Protection,
  listed: Listed,
  books: TradeBooks,
): Promise<Protection> => {
  const now = work.clock().getTime();
  const compared = { ...before, compared_at: now };
  // An order that closes the trade decides what is left.
  const isClosing = compared.lifted_for.length > 0 || compared.resting !== undefined;
  if (isClosing || remainingOf(compared).eq(0)) return compared;
  const held = heldOf(compared, listed);
  const quantity = toText(held);
  const protection = beyondBand(withTaken(compared, { quantity, sellable: quantity }), listed);
  const left = leftInBooks(books);
  const open = remainingOf(protection);
  if (left?.lt(open)) return cutToBooks(protection, left);
  if (held.eq(open)) {
    return { ...without(protection, LARGER, SMALLER), cap: undefined, differs_since: undefined };
  }
  const { own, all } = await shareOf(work, protection, held);
  if (held.eq(all))
    return { ...without(protection, LARGER, SMALLER), cap: undefined, differs_since: undefined };
  const differs_since = protection.differs_since ?? now;
  if (now < differs_since + CONFIRMED_MS) return { ...protection, differs_since };
  if (own.gte(open)) {
    const known = without(protection, SMALLER);
    const isOwners = ADAPTER_FACTS[protection.adapter].isSpot;
    // A lack has to last by itself.
    return {
      ...(isOwners ? known : reportedOnce(work, known, LARGER)),
      cap: undefined,
      differs_since: undefined,
    };
  }
  const { deployment_id, symbol } = protection;
  const isPart = own.gt(0);
  if (!isPart) await haltForMissing(work, deployment_id, symbol);
  else if (!protection.reported.includes(SMALLER)) {
    await haltForMissing(work, deployment_id, symbol, { held: toText(own), open: toText(open) });
  }
  const isEnded = !books.deployment || isFinalDeploymentStatus(books.deployment.status);
  // Nobody follows the trade any more.
  if (isEnded && own.eq(0)) return cutToBooks(protection, zero());
  const cut = reportedOnce(work, without(protection, LARGER), SMALLER);
  return { ...cut, cap: toText(smaller(own, open)), differs_since };
};
