import type { BacktestIn, Rules as ClientRules } from '../../../../../infra/client/package/src/index.ts';
import type { DraftProblems, Terms } from '../../backtests/draft.ts';
import { backtestBody } from '../../backtests/draft.ts';
import { subjectOf } from '../../backtests/subject.ts';
import { AccountFields, PeriodFields } from '../../backtests/terms-fields.tsx';
import { hub, ME } from '../../hub.ts';
import { navigate } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useOnce } from '../../ui/use-once.ts';
import type { Market } from './market.ts';

interface BacktestTermsProps {
  /** Undefined while the rules have a problem. */
  readonly rules: ClientRules | undefined;
  readonly market: Market;
  /** Strategy that the rules are saved to; undefined for a new one. */
  readonly strategyId: number | undefined;
  readonly terms: Terms;
  readonly onTerms: (terms: Terms) => void;
  readonly problems: DraftProblems;
}

/** Period, candles and costs of the results, and the backtest that is kept. */
export const BacktestTerms = (props: BacktestTermsProps) => {
  const { rules, market, strategyId, terms, onTerms, problems } = props;
  const { symbols, timeframe } = market;
  const once = useOnce();
  const action = useAction(async () => {
    if (!rules) return;
    const subject = await subjectOf({ strategy_id: strategyId ?? null, rules }, new AbortController().signal);
    const { body } = backtestBody(subject, { ...terms, symbols, timeframe, params: {} });
    if (!body) return;
    const made = await once(body, (options) => hub.runBacktest({ user_id: ME, body }, options));
    if (made.backtest_id !== null) navigate(`/backtests/${made.backtest_id}`);
  });
  const missing = !rules
    ? 'Fix the rules first.'
    : symbols.length === 0
      ? 'Choose an instrument first.'
      : undefined;
  const isBad = Object.keys(problems).length > 0;
  return (
    <section class="part" aria-label="Backtest">
      <details open={isBad}>
        <summary>Period, capital and costs</summary>
        <div class="stack">
          <PeriodFields draft={terms} onDraft={onTerms} problems={problems} />
          <Checkbox
            checked={terms.candles === 'own'}
            onChecked={(isOwn) => onTerms({ ...terms, candles: isOwn ? 'own' : 'hub' })}
          >
            Use my candles
          </Checkbox>
          <AccountFields draft={terms} onDraft={onTerms} problems={problems} />
        </div>
      </details>
      {isBad && <Notice kind="bad">Some values above need a change. They are marked.</Notice>}
      <div class="row">
        <Button busy={action.isBusy} disabled={missing !== undefined} onClick={() => void action.run()}>
          Backtest these rules
        </Button>
        <span class="muted">{missing ?? 'Keeps the result, with all trades.'}</span>
      </div>
      <Problem of={action.error} />
    </section>
  );
};

/** Returns the request of the results; undefined while something is missing, with the problems of the terms. */
export const liveBody = (
  rules: ClientRules | undefined,
  { symbols, timeframe }: Market,
  terms: Terms,
): { readonly body?: BacktestIn | undefined; readonly problems: DraftProblems } => {
  if (!rules || symbols.length === 0) return { problems: {} };
  const { body, problems = {} } = backtestBody({ rules }, { ...terms, symbols, timeframe, params: {} });
  return { body, problems };
};
