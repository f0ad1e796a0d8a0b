import type { GetParityOutput } from '../../../../infra/client/package/src/index.ts';
import { countText } from '../strategies/texts.ts';

/** Result of comparing a paper deployment with its backtest, in words. */
export interface ParityWords {
  readonly tone: 'good' | 'info' | 'warn';
  readonly answer: string;
  readonly details: readonly string[];
}

const KINDS: Readonly<Record<GetParityOutput['differences'][number]['kind'], string>> = {
  order: 'Order',
  trade: 'Open trade',
  waiting_order: 'Waiting order',
  cash: 'Cash',
};

/** Names the kind of a difference. */
export const differenceName = (kind: GetParityOutput['differences'][number]['kind']): string => KINDS[kind];

/** Explains the comparison of a paper deployment with a backtest over the same bars. */
export const parityWords = ({
  is_equal,
  is_complete,
  compared,
  differences_count,
  left_out,
}: GetParityOutput): ParityWords => {
  const { bars, late_bars, orders, trades } = compared;
  const late =
    late_bars === 0
      ? []
      : [
          `${countText(late_bars, 'bar')} arrived after later ones. The deployment did not trade on them; charts and new backtests have them.`,
        ];
  const leftOut = is_complete
    ? []
    : [`Left out, as their bars are too many for one answer: ${left_out.join(', ')}.`];
  const rest = [...late, ...leftOut];
  if (bars === 0) {
    return { tone: 'info', answer: 'There is nothing to compare yet: it has not seen a bar.', details: rest };
  }
  const scope = `A backtest of the same rules over the same ${countText(bars, 'bar')} has ${countText(orders, 'order')} and ${countText(trades, 'closed trade')}.`;
  if (is_equal) {
    return {
      tone: 'good',
      answer: 'It trades exactly as its backtest says.',
      details: [scope, 'Your pauses, stops and manual closes are repeated in the backtest.', ...rest],
    };
  }
  return {
    tone: 'warn',
    answer: `It differs from its backtest in ${countText(differences_count, 'place')}.`,
    details: [
      scope,
      'No difference is expected. Candles that were corrected later are the usual cause; report others.',
      ...rest,
    ],
  };
};
