import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { BacktestTrade } from '../../../../../infra/client/package/src/index.ts';
import { CandleChart } from '../../charts/candle-chart.tsx';
import { type Timeframe, windowAround } from '../../charts/models/candles.ts';
import { hub } from '../../hub.ts';
import { barsText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';

interface TradeBarsProps {
  readonly trade: BacktestTrade;
  readonly timeframe: Timeframe;
  readonly onClose: () => void;
}

/** Most bars of one request. */
const LIMIT = 5000;

/** Trade on the bars around it. */
export const TradeBars = ({ trade, timeframe, onClose }: TradeBarsProps) => {
  const region = useRef<HTMLElement>(null);
  const { number, symbol, entry_at, exit_at } = trade;
  const shown = useMemo(
    () => windowAround({ entry_at, exit_at }, timeframe, Date.now()),
    [entry_at, exit_at, timeframe],
  );
  const candles = useResource(
    (signal) => hub.getCandles({ symbol, ...shown, limit: LIMIT }, { signal }),
    [symbol, shown],
  );
  const trades = useMemo(() => [trade], [trade]);
  useEffect(() => {
    if (number > 0) region.current?.scrollIntoView({ block: 'nearest' });
  }, [number, candles.value]);
  return (
    <section class="stack" ref={region} aria-label={`Trade ${number} on its bars`}>
      <Loaded of={candles}>
        {(value) => (
          <CandleChart
            label={`Trade ${number}: ${symbol}, ${barsText(shown.timeframe)}`}
            candles={value.candles}
            trades={trades}
            timeframe={shown.timeframe}
          />
        )}
      </Loaded>
      <div class="actions">
        <Button onClick={onClose}>Hide the bars</Button>
      </div>
    </section>
  );
};
