import { useEffect, useRef, useState } from 'preact/hooks';
import type { BacktestOut } from '../../../../../infra/client/package/src/index.ts';
import type { Rules } from '../../../../../shared/domain/engine/rules/shape.ts';
import { costsText } from '../../backtests/costs.ts';
import type { Terms } from '../../backtests/draft.ts';
import { backtestBody, type DraftProblems, NEW_TERMS } from '../../backtests/draft.ts';
import { subjectOf } from '../../backtests/subject.ts';
import { AccountFields, PeriodFields } from '../../backtests/terms-fields.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { StatisticValue } from '../../statistic-value.tsx';
import { STATISTICS } from '../../statistics.ts';
import { Button } from '../../ui/button.tsx';
import { Figure, When } from '../../ui/figures.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKept } from '../../ui/use-kept.ts';
import { useOnce } from '../../ui/use-once.ts';
import type { Market } from './market.ts';

const FIGURES = [
  'total_return_pct',
  'buy_and_hold_pct',
  'max_drawdown_equity_pct',
  'trades_count',
  'win_rate_pct',
  'profit_factor',
] as const;

/** Milliseconds between two looks at a backtest that runs as a job. */
const POLL_MS = 1500;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

interface BacktestPanelProps {
  readonly rules: Rules | undefined;
  /** Canonical text of the rules. */
  readonly canonical: string | undefined;
  readonly market: Market;
  /** Strategy that the rules are saved to; undefined for a new one. */
  readonly strategyId: number | undefined;
}

interface Tested {
  readonly of: string;
  readonly result: BacktestOut;
}

const Result = ({ result }: { readonly result: BacktestOut }) => {
  const { statistics, status, error, currency, warnings, backtest_id: id } = result;
  if (status === 'failed') {
    return (
      <Notice kind="bad" isNew>
        The backtest has failed: {error ?? 'the reason is not known'}.
      </Notice>
    );
  }
  if (status !== 'done') {
    return <p role="status">Running: {format.percent(result.progress * 100)} done.</p>;
  }
  return (
    <>
      {statistics ? (
        <dl class="figures">
          {FIGURES.map((key) => (
            <Figure
              key={key}
              label={STATISTICS[key].label}
              value={<StatisticValue name={key} value={statistics[key]} currency={currency} />}
            />
          ))}
        </dl>
      ) : (
        <p>There are no prices for this instrument and length of a bar. Choose another.</p>
      )}
      <p class="muted">
        {result.symbols.join(', ')}, <When at={result.first_bar} /> to <When at={result.last_bar} />.{' '}
        {costsText(result.account, currency, format)}
      </p>
      {warnings.map(({ code, message }) => (
        <Notice key={code} kind="info">
          {message}
        </Notice>
      ))}
      <a href={`#/backtests/${id}`}>Show the equity, all figures and the trades</a>
    </>
  );
};

const TERMS = keptValues<Terms>();

/** Backtest of the rules as they are, with its main figures. */
export const BacktestPanel = ({ rules, canonical, market, strategyId }: BacktestPanelProps) => {
  const [tested, setTested] = useState<Tested>();
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const { symbols, timeframe } = market;
  const [terms, setTerms] = useKept(TERMS, 'terms', () => NEW_TERMS);
  const [problems, setProblems] = useState<DraftProblems>({});
  const subject = JSON.stringify([canonical, symbols, timeframe, terms]);
  const once = useOnce();
  const action = useAction(async () => {
    if (!rules) return;
    const { signal } = left.current;
    const tests = await subjectOf({ strategy_id: strategyId ?? null, rules }, signal);
    const { body, problems: found } = backtestBody(tests, { ...terms, symbols, timeframe, params: {} });
    setProblems(found ?? {});
    if (!body) return;
    let result = await once(body, (options) =>
      hub.runBacktest({ user_id: ME, body }, { signal, ...options }),
    );
    setTested({ of: subject, result });
    while ((result.status === 'queued' || result.status === 'running') && !signal.aborted) {
      await pause(signal);
      if (signal.aborted) return;
      result = await hub.getBacktest({ user_id: ME, backtest_id: result.backtest_id }, { signal });
      setTested({ of: subject, result });
    }
  });
  const missing = !rules
    ? 'Fix the rules first.'
    : symbols.length === 0
      ? 'Choose an instrument first.'
      : undefined;
  return (
    <section class="card" aria-label="Backtest">
      <h2>Backtest</h2>
      <div class="row">
        <Button
          kind="primary"
          busy={action.isBusy}
          disabled={missing !== undefined}
          onClick={() => void action.run()}
        >
          Backtest these rules
        </Button>
        {missing && <span class="muted">{missing}</span>}
      </div>
      <details open={Object.keys(problems).length > 0}>
        <summary>Period, capital and costs</summary>
        <div class="stack">
          <PeriodFields draft={terms} onDraft={setTerms} problems={problems} />
          <AccountFields draft={terms} onDraft={setTerms} problems={problems} />
        </div>
      </details>
      {Object.keys(problems).length > 0 && (
        <Notice kind="bad">Some values above need a change. They are marked.</Notice>
      )}
      <Problem of={action.error} />
      <div aria-live="polite" class="stack">
        {tested && tested.of !== subject && (
          <Notice kind="warn">This is of before your last changes. Run the backtest again.</Notice>
        )}
        {tested && <Result result={tested.result} />}
        {!tested && !action.isBusy && (
          <p class="muted">
            Runs the rules, saved or not, over past prices with usual costs, and shows the main figures.
          </p>
        )}
      </div>
    </section>
  );
};
