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
import { remainingOf, smaller, withTaken } from './figures.ts';
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

/** Reads the books of trades, 100 items per call. */
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

/** Returns the size of the position of a trade at the broker, on its side. */
const heldOf = (protection: Protection, { positions }: Listed): Decimal => {
  const position = positions.find(({ symbol }) => symbolOf(symbol) === symbolOf(protection.broker_symbol));
  return position?.side === protection.side ? decimal(position.quantity) : zero();
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
  if (compared.lifted_for.length > 0 || remainingOf(compared).eq(0)) return compared;
  const held = heldOf(compared, listed);
  const protection = withTaken(compared, held);
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
    // An account without positions has what its owner holds for other reasons.
    const isOwners = ADAPTER_FACTS[protection.adapter].isSpot;
    return { ...(isOwners ? known : reportedOnce(work, known, LARGER)), cap: undefined, differs_since };
  }
  await haltForMissing(work, protection.deployment_id, protection.symbol);
  const isEnded = !books.deployment || isFinalDeploymentStatus(books.deployment.status);
  // Nobody follows the trade any more.
  if (isEnded && own.eq(0)) return cutToBooks(protection, zero());
  const cut = reportedOnce(work, without(protection, LARGER), SMALLER);
  return { ...cut, cap: toText(smaller(own, open)), differs_since };
};
