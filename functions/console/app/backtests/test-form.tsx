import { useState } from 'preact/hooks';
import { HubApiError } from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { hub, ME } from '../hub.ts';
import { keptValues } from '../kept.ts';
import { navigate } from '../router.ts';
import { STATISTICS } from '../statistics.ts';
import { Button } from '../ui/button.tsx';
import { Field, focusInvalid, NumberInput, Select, TextInput } from '../ui/field.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { fieldProblem } from '../ui/problem-text.ts';
import { useAction } from '../ui/use-action.ts';
import { useKept, useKeptText } from '../ui/use-kept.ts';
import { useOnce } from '../ui/use-once.ts';
import {
  backtestBody,
  type Draft,
  type DraftProblems,
  type RankFigure,
  suggestedValues,
  sweepBody,
  USUAL_SPLIT,
} from './draft.ts';
import type { Start } from './start.ts';
import { AccountFields, MarketFields } from './terms-fields.tsx';

interface TestFormProps {
  readonly start: Start;
  /** True for trying several values of parameters. */
  readonly isSweep: boolean;
}

const RANKS: readonly RankFigure[] = [
  'sharpe_ratio',
  'sortino_ratio',
  'calmar_ratio',
  'total_return_pct',
  'cagr_pct',
  'profit_factor',
  'win_rate_pct',
  'expectancy_pct',
  'sqn',
  'max_drawdown_equity_pct',
];

const rangesOf = ({ subject, draft }: Start): Draft => ({
  ...draft,
  params: Object.fromEntries(
    Object.entries(subject.rules.params ?? {}).map(([name, param]) => [name, suggestedValues(param)]),
  ),
});

/** Fields of a request that the form shows an error at. */
const FIELDS = [
  'symbols',
  'symbol',
  'timeframe',
  'from',
  'to',
  'split',
  'starting_capital',
  'commission_rate',
];

const refusedFields = (error: unknown, names: readonly string[]): DraftProblems =>
  Object.fromEntries(
    names.flatMap((name) => {
      const problem = fieldProblem(error, name);
      return problem === undefined ? [] : [[name, problem]];
    }),
  );

const boundsText = ({
  min,
  max,
}: {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): string =>
  [
    min !== undefined && `at least ${format.number(min)}`,
    max !== undefined && `at most ${format.number(max)}`,
  ]
    .filter(Boolean)
    .join(', ');

const DRAFTS = keptValues<Draft>();
const RANKINGS = keptValues<RankFigure>();

/** Form that runs a backtest, or tries combinations of parameters. */
export const TestForm = ({ start, isSweep }: TestFormProps) => {
  const name = JSON.stringify(start.subject);
  const [draft, setDraft] = useKept(DRAFTS, name, () => (isSweep ? rangesOf(start) : start.draft));
  const [split, setSplit] = useKeptText(`split of ${name}`, USUAL_SPLIT);
  const [rankBy, setRankBy] = useKept<RankFigure>(RANKINGS, name, () => 'sharpe_ratio');
  const [problems, setProblems] = useState<DraftProblems>({});
  const { subject } = start;
  const params = Object.entries(subject.rules.params ?? {});
  const once = useOnce();
  const action = useAction(async () => {
    if (isSweep) {
      const { body, problems: found } = sweepBody(subject, draft, { split, rankBy });
      setProblems(found ?? {});
      if (!body) return;
      const sweep = await once(body, (options) => hub.sweepStrategy({ user_id: ME, body }, options));
      navigate(`/sweeps/${sweep.sweep_id}`);
      return;
    }
    const { body, problems: found } = backtestBody(subject, draft);
    setProblems(found ?? {});
    if (!body) return;
    const made = await once(body, (options) => hub.runBacktest({ user_id: ME, body }, options));
    if (made.backtest_id !== null) navigate(`/backtests/${made.backtest_id}`);
  });
  const all = { ...refusedFields(action.error, [...FIELDS, ...params.map(([name]) => name)]), ...problems };
  const isExplained =
    action.error instanceof HubApiError && Object.keys(refusedFields(action.error, FIELDS)).length > 0;
  const shared = { draft, onDraft: setDraft, problems: all };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget: form } = event;
        void action.run().then(() => focusInvalid(form));
      }}
    >
      <section class="card">
        <h2>{start.name}</h2>
        {start.sentence && <p>{start.sentence}</p>}
        <MarketFields {...shared} />
      </section>
      {params.length > 0 && (
        <section class="card">
          <h2>{isSweep ? 'Values to try' : 'Parameters'}</h2>
          {isSweep && (
            <p class="muted">
              A range, such as 5-50 step 5, or values, such as 5, 10, 20. Every combination is tried, 2,000 at
              most. Leave a parameter empty to keep its usual value.
            </p>
          )}
          {problems.params && (
            <Notice kind="bad" isNew>
              {problems.params}
            </Notice>
          )}
          <div class="cards">
            {params.map(([name, param]) => (
              <Field
                key={name}
                label={name}
                hint={[`usually ${format.number(param.default)}`, boundsText(param)]
                  .filter(Boolean)
                  .join(', ')}
                error={all[name]}
              >
                {isSweep ? (
                  <TextInput
                    value={draft.params[name] ?? ''}
                    onValue={(value) => setDraft({ ...draft, params: { ...draft.params, [name]: value } })}
                  />
                ) : (
                  <NumberInput
                    value={draft.params[name] ?? ''}
                    onValue={(value) => setDraft({ ...draft, params: { ...draft.params, [name]: value } })}
                  />
                )}
              </Field>
            ))}
          </div>
        </section>
      )}
      {isSweep && (
        <section class="card">
          <h2>Check against overfitting</h2>
          <p class="muted">
            The best combination of many is partly luck. So combinations are ranked on the first part of the
            time, and tested on the rest, which they have not seen.
          </p>
          <div class="cards">
            <Field label="First part of the time" hint="The rest is out of sample." error={all.split}>
              <NumberInput value={split} onValue={setSplit} unit="%" />
            </Field>
            <Field label="Rank by">
              <Select
                value={rankBy}
                onValue={setRankBy}
                options={RANKS.map((value) => ({ value, label: STATISTICS[value].label }))}
              />
            </Field>
          </div>
        </section>
      )}
      <section class="card">
        <h2>Account</h2>
        <AccountFields {...shared} />
      </section>
      {Object.keys(problems).length > 0 && (
        <Notice kind="bad" isNew>
          Some fields need another value. They are marked above.
        </Notice>
      )}
      {!isExplained && <Problem of={action.error} />}
      {isExplained && (
        <Notice kind="bad" isNew>
          The service refused some values. They are marked above.
        </Notice>
      )}
      <div class="actions">
        <Button submit kind="primary" busy={action.isBusy}>
          {isSweep ? 'Try the combinations' : 'Run the backtest'}
        </Button>
      </div>
    </form>
  );
};
