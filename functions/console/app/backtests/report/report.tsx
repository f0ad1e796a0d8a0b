import type { BacktestTrade, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { ExcursionMarks, excursionSentence } from '../../charts/excursion-plot.tsx';
import { HeatCell } from '../../charts/heat-cell.tsx';
import { heatOf } from '../../charts/models/heat.ts';
import { drawdownLine, equityLine } from '../../charts/models/lines.ts';
import { movedYears, yearsOf } from '../../charts/models/months.ts';
import { usualScale } from '../../charts/models/scale.ts';
import { movedTrades } from '../../charts/models/trade-shape.ts';
import { ReturnBars, returnsSentence } from '../../charts/return-histogram.tsx';
import { format } from '../../format.ts';
import { STATISTICS, type StatisticKey, statisticText } from '../../statistics.ts';
import { barsText } from '../../strategies/texts.ts';
import { costsText } from '../costs.ts';
import { titleOf } from '../title.ts';
import { DrawdownDrawing, EquityDrawing } from './lines.tsx';

/** Backtest with its trades and the name of its strategy. */
export interface Reported {
  readonly backtest: GetBacktestOutput;
  readonly trades: readonly BacktestTrade[];
  readonly strategyName: string | undefined;
}

const FIGURES: readonly StatisticKey[] = [
  'total_return_pct',
  'cagr_pct',
  'buy_and_hold_pct',
  'final_equity',
  'max_drawdown_equity_pct',
  'max_drawdown_s',
  'volatility_pct',
  'exposure_pct',
  'sharpe_ratio',
  'sortino_ratio',
  'calmar_ratio',
  'profit_factor',
  'trades_count',
  'win_rate_pct',
  'expectancy',
  'fees',
];

/** Longest text of the rules, and the most warnings and years that fit on their page. */
const MOST_LETTERS = 700;
const MOST_WARNINGS = 5;
const MOST_YEARS = 25;

const cut = (text: string): string =>
  text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`;

const Months = ({ months }: { readonly months: GetBacktestOutput['monthly_returns'] }) => {
  const { moved } = movedYears(yearsOf(months));
  const shown = moved.slice(-MOST_YEARS);
  const heat = heatOf(months.map(({ return_pct }) => return_pct));
  return (
    <>
      <h2>Monthly returns</h2>
      {shown.length < moved.length && (
        <p class="muted">The last {MOST_YEARS} years in which the account moved.</p>
      )}
      <table>
        <thead>
          <tr>
            <th>Year</th>
            {format.monthNames().map((name) => (
              <th key={name}>{name}</th>
            ))}
            <th>Year</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ year, months: row, total }) => (
            <tr key={year}>
              <th>{year}</th>
              {row.map((value, index) => (
                <HeatCell key={index} heat={heat(value)}>
                  {value === null ? '' : format.percent(value, { signed: true, digits: 1 })}
                </HeatCell>
              ))}
              <td>{format.percent(total, { signed: true, digits: 1 })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

const Drawdowns = ({ of: { drawdowns, timeframe } }: { readonly of: GetBacktestOutput }) => (
  <>
    <h2>Deepest drawdowns</h2>
    <table>
      <thead>
        <tr>
          <th>From the high on</th>
          <th>Depth</th>
          <th>Lowest on</th>
          <th>Recovered on</th>
        </tr>
      </thead>
      <tbody>
        {drawdowns.map(({ from, trough, to, depth_pct }) => (
          <tr key={`${from} ${trough}`}>
            <td>{format.bar(from, timeframe).text}</td>
            <td>{format.percent(depth_pct)}</td>
            <td>{format.bar(trough, timeframe).text}</td>
            <td>{to === null ? 'not yet' : format.bar(to, timeframe).text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);

/** Two pages about a backtest. */
export const Report = ({ backtest, trades, strategyName }: Reported) => {
  const { statistics, timeframe, currency, account, warnings } = backtest;
  const equity = equityLine(backtest.equity);
  const held = equityLine(backtest.benchmark?.equity ?? []);
  const { scale, reason } = usualScale(equity, held);
  const isLogarithmic = scale === 'log';
  const moved = movedTrades(trades);
  const returns = trades.map(({ return_pct }) => return_pct);
  return (
    <>
      <section class="page">
        <h1>{titleOf(backtest)}</h1>
        <p class="muted">
          {strategyName !== undefined && `${strategyName} · `}
          {backtest.symbols.join(', ')}, {barsText(timeframe)},{' '}
          {format.bar(backtest.first_bar, timeframe).text} to {format.bar(backtest.last_bar, timeframe).text}{' '}
          ({format.count(backtest.bars)} bars)
        </p>
        <p>{cut(backtest.sentence)}</p>
        <p class="muted">
          Starting capital {format.money(account.starting_capital, currency)}.{' '}
          {costsText(account, currency, format)}
        </p>
        {statistics && (
          <dl>
            {FIGURES.map((key) => (
              <div key={key}>
                <dt>{STATISTICS[key].label}</dt>
                <dd>{statisticText(key, statistics[key], currency, timeframe)}</dd>
              </div>
            ))}
          </dl>
        )}
        {equity.length > 1 && (
          <>
            <h2>Equity</h2>
            <p class="muted">
              Solid: the account. {held.length > 1 && 'Dashed: buying and holding. '}
              {isLogarithmic && reason}
            </p>
            <EquityDrawing equity={equity} held={held} isLogarithmic={isLogarithmic} currency={currency} />
            <h2>Falls from the last high</h2>
            <DrawdownDrawing falls={drawdownLine(backtest.equity)} held={held} />
          </>
        )}
        {warnings.length > 0 && (
          <>
            <h2>Warnings</h2>
            {warnings.slice(0, MOST_WARNINGS).map(({ code, message, count }) => (
              <p key={code}>
                {message}
                {count !== undefined && ` ${format.count(count)} here.`}
              </p>
            ))}
            {warnings.length > MOST_WARNINGS && (
              <p>{format.count(warnings.length - MOST_WARNINGS)} more are on the page of the backtest.</p>
            )}
          </>
        )}
      </section>
      <section class="page">
        <Months months={backtest.monthly_returns} />
        {returns.length > 0 && (
          <div class="pair">
            <div>
              <h2>Distribution of returns</h2>
              <ReturnBars returns={returns} />
              <p class="muted">{returnsSentence(returns)}</p>
            </div>
            {moved.length > 0 && (
              <div>
                <h2>Moves against and in favour</h2>
                <ExcursionMarks trades={moved} />
                <p class="muted">○ gained, × lost. {excursionSentence(moved)}</p>
              </div>
            )}
          </div>
        )}
        {trades.length < backtest.trades_count && (
          <p class="muted">
            Of the first {format.count(trades.length)} of {format.count(backtest.trades_count)} trades.
          </p>
        )}
        {backtest.drawdowns.length > 0 && <Drawdowns of={backtest} />}
        <p class="muted">
          Backtest {backtest.backtest_id}, engine {backtest.engine_version ?? '–'}, rules{' '}
          {backtest.rules_hash.slice(0, 12)}, candles {backtest.candles_hash?.slice(0, 12) ?? '–'}. The same
          rules, candles and account give the same result. Past results say nothing certain about later ones.
        </p>
      </section>
    </>
  );
};
