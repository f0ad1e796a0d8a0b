import { exitCapabilities } from '../../channels/execution/exit-capabilities.ts';
import type { Protection, ProtectiveExit, ProtectiveReport } from '../../data/execution/protections.ts';
import { decimal, scaled, toText, zero } from '../../domain/money.ts';
import { MAX_HUB_SEQUENCE } from '../../domain/orders/order-request-schema.ts';
import {
  PROTECTIVE_LEVELS,
  type ProtectiveLevel,
  protectiveIdOf,
} from '../../domain/orders/protective-ids.ts';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import type { ExecutionRuntime } from '../execution-runtime.ts';
import {
  averageOf,
  bookedOf,
  fillsOf,
  isEnd,
  isOver,
  type LevelFills,
  levelsOf,
  remainingOf,
} from './figures.ts';

type Reported = Omit<ProtectiveReport, 'sequence' | 'reported'>;

const OVER_TEXT = 'The trade is closed.';

const isOpenAt = ({ state, cancelled_at, legs }: ProtectiveExit, level: ProtectiveLevel): boolean => {
  const leg = legs[level];
  if (state !== 'open' || cancelled_at !== undefined || !leg) return false;
  return !['filled', 'cancelled', 'rejected', 'expired', 'unknown'].includes(leg.status);
};

/** Returns the time of the last fill of a level; zero without one. */
const lastFill = ({ exits }: Protection, level: ProtectiveLevel): number =>
  Math.max(
    0,
    ...exits.flatMap(({ legs }) => (legs[level] && legs[level].filled !== '0' ? legs[level].at : [])),
  );

const timeOf = (protection: Protection, level: ProtectiveLevel, now: number): number => {
  const at = lastFill(protection, level);
  // The clock of the broker may be ahead.
  return at === 0 ? now : Math.min(at, now);
};

/**
 * Returns what a level has filled, with its fees. Completes the fill that ends a trade by what the broker took from the
 * position, which counts as fees: the books would keep a rest that is not there.
 */
const withFees = (
  protection: Protection,
  level: ProtectiveLevel,
  fills: LevelFills,
): Pick<Reported, 'filled_quantity' | 'fees'> => {
  const average = averageOf(fills);
  const [last] = PROTECTIVE_LEVELS.toSorted(
    (left, right) => lastFill(protection, right) - lastFill(protection, left),
  );
  const isLast = average !== null && level === last && remainingOf(protection).eq(0);
  const rest = isLast ? bookedOf(protection) : zero();
  const fees = scaled(fills.fees.plus(rest.times(average ?? '0')));
  return {
    filled_quantity: toText(fills.filled.plus(rest)),
    ...(fees.gt(0) && { fees: toText(fees) }),
  };
};

/** Returns what is to be reported on a level; undefined for one that the trade does not have. */
const reportOf = (protection: Protection, level: ProtectiveLevel, now: number): Reported | undefined => {
  const known = protection.reports[level];
  const wanted = level === 'close' ? undefined : levelsOf(protection)[level];
  const fills = fillsOf(protection, level);
  const isPlaced = protection.exits.some(({ legs }) => legs[level] !== undefined);
  if (!known && !isPlaced && fills.filled.eq(0)) return undefined;
  const resting = protection.exits.filter((exit) => isOpenAt(exit, level));
  const remaining = remainingOf(protection);
  const isFilled = fills.filled.gt(0) && remaining.eq(0);
  const average_price = averageOf(fills);
  const filled = withFees(protection, level, fills);
  const { filled_quantity } = filled;
  const at = decimal(filled_quantity).eq(known?.filled_quantity ?? '0')
    ? now
    : timeOf(protection, level, now);
  const common = {
    ...filled,
    average_price,
    // The price that rests, which is the old one while a move is not done.
    price: resting[0]?.legs[level]?.price ?? wanted ?? known?.price ?? null,
    status_message: known?.status_message ?? null,
    at,
  };
  if (isFilled || isOver(protection)) {
    const isAll = fills.filled.gt(0) && decimal(filled_quantity).gte(known?.quantity ?? filled_quantity);
    return {
      ...common,
      status: isAll ? 'filled' : 'cancelled',
      quantity: isAll ? filled_quantity : (known?.quantity ?? filled_quantity),
      status_message: isAll ? null : OVER_TEXT,
    };
  }
  const quantity = toText(
    fills.filled.plus(remaining).plus(remaining.gt(0) ? (protection.taken ?? '0') : '0'),
  );
  // Nothing is left of a level whose trade may still grow.
  if (quantity === '0') return undefined;
  const status = resting.length === 0 ? 'pending' : fills.filled.gt(0) ? 'partially_filled' : 'open';
  return { ...common, status, quantity, status_message: null };
};

const isSame = (known: ProtectiveReport | undefined, next: Reported): boolean =>
  known !== undefined &&
  known.status === next.status &&
  known.quantity === next.quantity &&
  known.filled_quantity === next.filled_quantity &&
  known.average_price === next.average_price &&
  known.price === next.price;

/** Returns a protection with the reports that follow from its exits. An order that has ended is reported no more. */
export const withReports = (protection: Protection, now: number): Protection => {
  const reports = { ...protection.reports };
  for (const level of PROTECTIVE_LEVELS) {
    const known = reports[level];
    const next = reportOf(protection, level, now);
    if (!next || isSame(known, next)) continue;
    const isLate = isEnd(known) && next.filled_quantity === known?.filled_quantity;
    if (isLate) continue;
    const sequence = (known?.sequence ?? MAX_HUB_SEQUENCE) + 1;
    const report = { ...next, sequence, reported: known?.reported ?? MAX_HUB_SEQUENCE };
    reports[level] = withUnknownOf(known ?? {}, report);
  }
  return { ...protection, reports };
};

const typeOf = (
  { adapter, asset_class: assetClass }: Protection,
  level: ProtectiveLevel,
  { quantity }: ProtectiveReport,
) => {
  if (level === 'close') return 'market';
  if (level === 'target') return 'limit';
  return exitCapabilities(adapter, { assetClass, quantity }).kind === 'stop_limit' ? 'stop_limit' : 'stop';
};

/** Returns the detail of the event `Order Updated`. */
const detailOf = (protection: Protection, level: ProtectiveLevel, report: ProtectiveReport) => {
  const { deployment_id, entry, round, symbol, side } = protection;
  const { price } = report;
  return {
    version: 1,
    deployment_id,
    client_order_id: protectiveIdOf({ entry, level, round }),
    sequence: report.sequence,
    occurred_at: new Date(report.at).toISOString(),
    symbol,
    side: side === 'long' ? 'sell' : 'buy',
    order_type: typeOf(protection, level, report),
    quantity: report.quantity,
    status: report.status,
    filled_quantity: report.filled_quantity,
    ...(report.average_price !== null && { average_price: report.average_price }),
    fees: report.fees ?? '0',
    ...(price !== null && { [level === 'target' ? 'price' : 'trigger_price']: price, expected_price: price }),
    ...(report.status_message !== null && { status_message: report.status_message }),
  };
};

/** Puts the unsent reports of a protection on the bus. A repeat has the same sequence. */
export const sendReports = async (work: ExecutionRuntime, protection: Protection): Promise<Protection> => {
  const reports = { ...protection.reports };
  for (const level of PROTECTIVE_LEVELS) {
    const report = reports[level];
    if (!report || report.reported >= report.sequence) continue;
    await work.putReport(detailOf(protection, level, report));
    reports[level] = { ...report, reported: report.sequence };
  }
  return { ...protection, reports };
};
