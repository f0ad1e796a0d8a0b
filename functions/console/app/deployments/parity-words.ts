import type { GetParityOutput } from '../../../../infra/client/package/src/index.ts';
import { countText } from '../count-text.ts';
import { format } from '../format.ts';

/** Result of comparing a deployment with its backtest, in words. */
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

type Attribution = NonNullable<GetParityOutput['attribution']>;

/** Lists the causes of a difference with their effects and meanings. They add up to the last one. */
export const attributionRows = ({ slippage, fees, delay, missing, extra, difference }: Attribution) => [
  { name: 'Slippage', amount: slippage, text: 'Prices at your broker against those reached.' },
  { name: 'Fees', amount: fees, text: 'Fees and swap against the costs of the backtest.' },
  { name: 'Delay', amount: delay, text: 'Moves of the price before the orders were filled.' },
  { name: 'Missing', amount: missing, text: 'Fills that only the backtest has.' },
  { name: 'Extra', amount: extra, text: 'Fills that only your account has, such as closes by hand.' },
  { name: 'Difference', amount: difference, text: 'The sum: your result less that of the backtest.' },
];

const DECISIONS: Readonly<Partial<Record<string, string>>> = {
  entry: 'Entry',
  exit: 'Exit',
  reverse: 'Reversal',
  stop_loss: 'Stop',
  take_profit: 'Target',
  trailing_stop: 'Trailing stop',
  square_off: 'End of the session',
  flatten: 'All closed',
  liquidated: 'Liquidation',
  unprotected: 'Closed without a stop',
  manual: 'By hand',
  broker: 'At the broker',
};

/** Names the decision behind a fill. */
export const decisionName = (decision: string): string => DECISIONS[decision] ?? decision;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Says how long after the close of its bar an order was filled. */
export const tookWords = (delayMs: number | null): string => {
  if (delayMs === null) return '–';
  if (Math.abs(delayMs) < MINUTE_MS) return `${(delayMs / SECOND_MS).toFixed(1)} s`;
  return `${Math.round(delayMs / MINUTE_MS)} min`;
};

const attributionWords = (
  { pnl, backtest_pnl, difference, currency, fills }: Attribution,
  rest: readonly string[],
): ParityWords => {
  const [own, other, less] = [pnl, backtest_pnl, difference].map((amount) =>
    format.money(amount, currency, { signed: true }),
  );
  const isSame = fills.every(({ kind }) => kind === 'matched');
  return {
    tone: isSame ? 'good' : 'info',
    answer: `Your account made ${own}, its backtest ${other}: a difference of ${less}.`,
    details: [
      isSame
        ? 'Each fill of the backtest is in your account, and no other.'
        : 'Some fills are only in the backtest, or only in your account. The reasons are below.',
      'The backtest is of the rules alone: what you closed by hand, paused or stopped counts as missing or extra.',
      ...rest,
    ],
  };
};

/** Explains the comparison of a deployment with a backtest over the same bars. */
export const parityWords = ({
  is_equal,
  is_complete,
  compared,
  differences_count,
  left_out,
  attribution,
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
  if (attribution) return attributionWords(attribution, rest);
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
