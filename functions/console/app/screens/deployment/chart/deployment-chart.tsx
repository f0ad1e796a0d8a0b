import { useMemo, useRef, useState } from 'preact/hooks';
import type { GetParityOutput } from '../../../../../../infra/client/package/src/index.ts';
import type { Span } from '../../../charts/draw/drawing.ts';
import { EquityChart } from '../../../charts/equity-chart.tsx';
import type { ChartTrade } from '../../../charts/models/candles.ts';
import { RulesChart } from '../../../charts/rules-chart.tsx';
import { barEquity } from '../../../deployments/bar-equity.ts';
import { factsAt } from '../../../deployments/bar-facts.ts';
import { format } from '../../../format.ts';
import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Problem } from '../../../ui/notice.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useResource } from '../../../ui/use-resource.ts';
import { BarPanel } from './bar-panel.tsx';
import { type Charted, type Live, loadCharted } from './load.ts';
import { Timeline } from './timeline.tsx';

const EVERY_MS = 60_000;

/** Bars that are in view at first. */
const IN_VIEW = 200;

/** Returns the span that is in view at first: the newest bars. */
const newestOf = ({ bars }: Charted['chart']): Span | undefined => {
  const [from, to] = [bars.at(-IN_VIEW)?.[0] ?? bars[0]?.[0], bars.at(-1)?.[0]];
  return from === undefined || to === undefined ? undefined : { from, to };
};

/** Returns the trades of a symbol, closed and open ones. */
const tradesOf = ({ trades, engine, chart }: Charted): ChartTrade[] => [
  ...trades.map(({ opened_at, closed_at, trade_number, ...trade }) => ({
    ...trade,
    number: trade_number,
    entry_at: opened_at,
    exit_at: closed_at,
  })),
  ...(engine?.symbols.find(({ symbol }) => symbol === chart.symbol)?.trades ?? []),
];

interface ChartedViewProps {
  readonly live: Live;
  readonly of: Charted;
  readonly parity: GetParityOutput | undefined;
}

const ChartedView = ({ live, of: charted, parity }: ChartedViewProps) => {
  const { chart, engine, orders } = charted;
  const { timeframe, currency } = live;
  const [pointed, setPointed] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const drawn = useMemo(() => tradesOf(charted), [charted]);
  const [focus] = useState(() => newestOf(chart));
  const last = chart.bars.length - 1;
  const pointedIndex = pointed === undefined ? -1 : chart.bars.findIndex(([start]) => start === pointed);
  const index = pointedIndex >= 0 ? pointedIndex : Math.min(chosen ?? last, last);
  const decisions = engine?.symbols.find(({ symbol }) => symbol === chart.symbol)?.decisions ?? [];
  const facts = factsAt({ chart, decisions, orders, parity }, index);
  return (
    <>
      <RulesChart
        label={`${chart.symbol} with its trades`}
        chart={chart}
        trades={drawn}
        focus={focus}
        onBar={setPointed}
      />
      {facts && (
        <section class="card" aria-label="Bar by bar">
          <Timeline
            count={chart.bars.length}
            index={index}
            text={format.bar(facts.start, timeframe).text}
            onIndex={(next) => {
              setPointed(undefined);
              setChosen(next);
            }}
          />
          <BarPanel of={facts} timeframe={timeframe} currency={currency} />
        </section>
      )}
    </>
  );
};

/** Equity at the close of each bar, where the trades tell it. */
const BarEquity = ({ live, of: charted }: Pick<ChartedViewProps, 'live' | 'of'>) => {
  const points = useMemo(() => {
    const { chart, engine, trades, isCut } = charted;
    const { symbols, starting_capital, started_at, total_pnl } = live;
    if (symbols.length !== 1 || isCut || !engine || started_at === null) return undefined;
    return barEquity(
      {
        starting_capital,
        started_at,
        closed: trades,
        open: engine.symbols[0]?.trades ?? [],
        equity: total_pnl === null ? null : starting_capital + total_pnl,
      },
      {
        starts: chart.bars.map(([start = 0]) => start),
        closes: chart.bars.map(([, , , , close = 0]) => close),
      },
    );
  }, [charted, live]);
  return points ? (
    <EquityChart
      label="Equity at each bar"
      points={points}
      currency={live.currency}
      timeframe={live.timeframe}
    />
  ) : (
    <p class="muted">
      The equity between days is not known here.{' '}
      <a href={`#/deployments/${live.deployment_id}?view=results`}>See it by day</a>.
    </p>
  );
};

/** Price of a deployment with its fills, bar by bar, and its equity. */
export const DeploymentChart = ({ live }: { readonly live: Live }) => {
  const { deployment_id: id, symbols, engine } = live;
  const [symbol, setSymbol] = useState(symbols[0] ?? '');
  const [parity, setParity] = useState<GetParityOutput>();
  const shown = useRef<Charted['chart']>(undefined);
  const charted = useResource(
    async (signal) => {
      const before = shown.current?.symbol === symbol ? shown.current : undefined;
      const loaded = await loadCharted(live, symbol, before, signal);
      shown.current = loaded.chart;
      return loaded;
    },
    [id, symbol],
    { everyMs: EVERY_MS, on: (event) => event.deployment_id === id },
  );
  const compare = useAction(async () =>
    setParity(await hub.getParity({ user_id: ME, deployment_id: id, symbol })),
  );
  return (
    <>
      <div class="row row-apart">
        <h2>Bar by bar</h2>
        <div class="row">
          {symbols.length > 1 && (
            <Field label="Symbol">
              <Select
                value={symbol}
                onValue={(next) => {
                  setParity(undefined);
                  setSymbol(next);
                }}
                options={symbols.map((one) => ({ value: one, label: one }))}
              />
            </Field>
          )}
          {engine === 'hub' && (
            <Button busy={compare.isBusy} onClick={() => void compare.run()}>
              {parity ? 'Compare again' : 'Compare with the backtest'}
            </Button>
          )}
        </div>
      </div>
      <Problem of={compare.error} />
      {parity && (
        <p role="status" class="muted">
          {parity.is_equal
            ? 'It traded as its backtest.'
            : `${format.count(parity.differences_count)} differences from its backtest: see the bars.`}
        </p>
      )}
      <Loaded of={charted}>
        {(value) => (
          <>
            <ChartedView key={value.chart.symbol} live={live} of={value} parity={parity} />
            <BarEquity live={live} of={value} />
          </>
        )}
      </Loaded>
    </>
  );
};
