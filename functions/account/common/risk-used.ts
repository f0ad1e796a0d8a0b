import type { TradingSummary } from '../../../shared/data/books/summary.ts';
import { type Decimal, decimal, toText, zero } from '../../../shared/domain/money.ts';
import { exactAmount } from '../../../shared/domain/risk/amount.ts';
import { orderUsages } from '../../../shared/domain/risk/check-book.ts';
import { lossUsages } from '../../../shared/domain/risk/losses.ts';
import { startRisk } from '../../../shared/domain/risk/state.ts';
import type { Usage } from '../../../shared/domain/risk/usage.ts';
import { worthOf } from './exposure.ts';

/** Returns the largest value in one symbol; positions of unknown value do not count. */
const largestValue = ({ positions }: TradingSummary): Decimal =>
  positions
    .flatMap((position) => worthOf(position) ?? [])
    .reduce((most, value) => (value.gt(most) ? value : most), zero());

const shareOf = ({ used, allowed }: Usage): number => decimal(used).div(allowed).toNumber();

/** Returns the time for which limits are judged: of the last bar, if the hub runs the deployment. */
const timeOf = ({ engine, updated_at }: TradingSummary, now: Date): number =>
  engine === undefined || engine === 'external' ? now.getTime() : Date.parse(updated_at);

/**
 * Computes how much of the limits of a deployment is used, from a summary that is marked with last prices; undefined
 * without limits that have a number. Orders of the hub's engine that wait do not count.
 *
 * @returns the limit of which the largest part is used.
 */
export const mostUsed = (summary: TradingSummary, now: Date): (Usage & { share: number }) | undefined => {
  const { risk, totals, positions } = summary;
  if (!risk) return undefined;
  const { limits } = risk;
  const at = timeOf(summary, now);
  const state = risk.state ?? startRisk(totals, at);
  const equity = decimal(totals.equity);
  const value = { at, equity: exactAmount(equity), day_start: exactAmount(equity.minus(totals.today_pnl)) };
  const { open_positions: open, position_value: largest } = limits;
  const usages: Usage[] = [
    ...lossUsages(limits, state, value),
    ...orderUsages(limits, state, at),
    ...(open === undefined
      ? []
      : [{ limit: 'open_positions' as const, used: String(positions.length), allowed: String(open) }]),
    ...(largest === undefined
      ? []
      : [{ limit: 'position_value' as const, used: toText(largestValue(summary)), allowed: largest }]),
  ];
  return usages
    .map((usage) => ({ ...usage, share: shareOf(usage) }))
    .reduce<ReturnType<typeof mostUsed>>(
      (most, usage) => (most === undefined || usage.share > most.share ? usage : most),
      undefined,
    );
};
