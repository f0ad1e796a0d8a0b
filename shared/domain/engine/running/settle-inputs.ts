import type { AccountReport } from './order-report.ts';
import type { PaperInput } from './paper-inputs.ts';

/** Returns the time of a report in which the trade of an order ends otherwise than by an input. */
const endOf = (input: PaperInput, reports: readonly AccountReport[]): number | undefined =>
  reports.find(
    (report) =>
      report.kind === 'order' &&
      report.closes === input.order &&
      report.client_order_id !== input.client_order_id,
  )?.at;

/**
 * Moves manual closes before bars on which their trades would end by themselves. The books closed those trades when the
 * owner did, so the bars, which arrived before and were not worked on yet, must not close them again.
 *
 * @param reports of advancing the account with the inputs.
 * @param startBefore returns the start of the bar before a moment.
 * @returns undefined if no input has to move.
 */
export const settleInputs = <I extends PaperInput>(
  inputs: readonly I[],
  reports: readonly AccountReport[],
  startBefore: (at: number) => number,
): I[] | undefined => {
  const ends = inputs.map((input) => endOf(input, reports));
  if (ends.every((at) => at === undefined)) return undefined;
  let limit = Number.POSITIVE_INFINITY;
  const settled = inputs.toReversed().map((input, index) => {
    const at = ends[inputs.length - 1 - index];
    // Inputs take effect in the order of their numbers, so earlier ones move along.
    limit = Math.min(limit, input.after, at === undefined ? limit : startBefore(at));
    return input.after === limit ? input : { ...input, after: limit };
  });
  return settled.every((input) => inputs.includes(input)) ? undefined : settled.toReversed();
};
