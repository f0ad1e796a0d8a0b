import { useEffect, useId, useRef } from 'preact/hooks';
import type { BacktestTrade } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { Percent } from '../../ui/figures.tsx';

interface TradeListProps {
  readonly trades: readonly BacktestTrade[];
  readonly timeframe: string;
  /** Index of the chosen trade. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** Scrolls a list so that a member is in view. Scrolling the member into view would scroll the page, too. */
const reveal = (list: HTMLElement, member: HTMLElement): void => {
  const [top, bottom] = [member.offsetTop, member.offsetTop + member.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
};

/** List of trades to jump to. The arrow keys move through it. */
export const TradeList = ({ trades, timeframe, chosen, onChoose }: TradeListProps) => {
  const name = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const member = list.current?.querySelectorAll('label')[chosen];
    if (list.current && member) reveal(list.current, member);
  }, [chosen]);
  return (
    <fieldset ref={list} class="trade-list">
      <legend class="unseen">Trade to show</legend>
      {trades.map(({ number, side, symbol, entry_at, return_pct }, index) => (
        <label key={number} class={index === chosen ? 'trade-chosen' : undefined}>
          <input
            class="unseen"
            type="radio"
            name={name}
            checked={index === chosen}
            onChange={() => onChoose(index)}
          />
          <span>
            {format.count(number)} {side === 'long' ? '↑ Long' : '↓ Short'} {symbol}
          </span>
          <span class="muted">{format.bar(entry_at, timeframe).text}</span>
          <Percent value={return_pct} signed />
        </label>
      ))}
    </fieldset>
  );
};
