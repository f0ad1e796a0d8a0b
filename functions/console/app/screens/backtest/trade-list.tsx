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

/** Returns the index that a key moves to; undefined for other keys. */
const movedBy = (key: string, index: number, last: number): number | undefined => {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    PageUp: index - 10,
    PageDown: index + 10,
    Home: 0,
    End: last,
  };
  const moved = moves[key];
  return moved === undefined ? undefined : Math.max(0, Math.min(last, moved));
};

/** List of trades to jump to. The arrow keys move through it. */
export const TradeList = ({ trades, timeframe, chosen, onChoose }: TradeListProps) => {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const element = list.current;
    const option = element?.children[chosen];
    if (!element || !(option instanceof HTMLElement)) return;
    // Scrolling the option into view would scroll the page, too.
    const [top, bottom] = [option.offsetTop, option.offsetTop + option.offsetHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
  }, [chosen]);
  return (
    <ul
      ref={list}
      class="trade-list"
      role="listbox"
      aria-label="Trades"
      tabIndex={0}
      aria-activedescendant={`${id}-${chosen}`}
      onKeyDown={(event) => {
        const moved = movedBy(event.key, chosen, trades.length - 1);
        if (moved === undefined) return;
        event.preventDefault();
        onChoose(moved);
      }}
    >
      {trades.map(({ number, side, symbol, entry_at, return_pct }, index) => (
        <li
          key={number}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onChoose(index)}
        >
          <span>
            {format.count(number)} {side === 'long' ? '↑ Long' : '↓ Short'} {symbol}
          </span>
          <span class="muted">{format.bar(entry_at, timeframe).text}</span>
          <Percent value={return_pct} signed />
        </li>
      ))}
    </ul>
  );
};
