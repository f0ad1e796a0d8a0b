import { useState } from 'preact/hooks';
import type { GetSweepOutput, SweepCombination } from '../../../../../infra/client/package/src/index.ts';
import { withDefaults } from '../../backtests/draft.ts';
import { sweepVerdict } from '../../backtests/verdict.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { StatisticValue } from '../../statistic-value.tsx';
import { STATISTICS } from '../../statistics.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Count, Percent } from '../../ui/figures.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';

const paramsText = (params: Readonly<Record<string, number>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${format.number(value)}`)
    .join(', ');

/** Returns the reason to doubt a combination; undefined without one. */
const doubtOf = (combination: SweepCombination): string | undefined => {
  if (combination.collapsed) {
    return 'This combination collapsed on time it had not seen. It probably fits the past only.';
  }
  const { kind, text } = sweepVerdict(combination);
  return kind === 'good' ? undefined : `${text.replace('× ', '')}: nothing shows yet that it earns money.`;
};

/** Best combinations with their figures in and out of sample. Their parameters can be tested and taken over. */
export const Combinations = ({ sweep }: { readonly sweep: GetSweepOutput }) => {
  const { best, rank_by: rankBy, strategy_id: strategyId, sweep_id: sweepId } = sweep;
  const [chosen, setChosen] = useState<SweepCombination>();
  const [saved, setSaved] = useState<string>();
  const [hasOtherParams, setOtherParams] = useState(false);
  const save = useAction(async ({ params }: SweepCombination) => {
    if (strategyId === null) return;
    const { rules, rules_version } = await hub.getStrategy({ user_id: ME, strategy_id: strategyId });
    const changed = rules && withDefaults(rules, params);
    setOtherParams(!changed);
    if (!changed) return;
    await hub.setStrategyRules({
      user_id: ME,
      strategy_id: strategyId,
      expected_rules_version: rules_version ?? undefined,
      body: changed,
    });
    setSaved(paramsText(params));
    setChosen(undefined);
  });
  const figure = (combination: SweepCombination, sample: 'in_sample' | 'out_of_sample') => (
    <StatisticValue name={rankBy} value={combination[sample]?.[rankBy]} currency="" />
  );
  const doubt = chosen && doubtOf(chosen);
  const isRankedByReturn = rankBy === 'total_return_pct';
  return (
    <section class="stack">
      <h2>Best combinations</h2>
      <p class="muted">
        Ranked in sample. Look at the figures out of sample: they are what the parameters did on time they had
        not seen.
      </p>
      {saved && (
        <Notice kind="good">
          The strategy now uses {saved}. Running deployments keep the rules that they began with.
        </Notice>
      )}
      <DataTable
        caption={`The ${format.count(best.length)} best combinations`}
        rows={best}
        rowKey={({ rank }) => rank}
        columns={[
          { head: 'Rank', isNumber: true, cell: ({ rank }) => <Count value={rank} /> },
          { head: 'Parameters', isHead: true, cell: ({ params }) => paramsText(params) },
          {
            head: 'Holds up',
            cell: (combination) => {
              const { kind, text } = sweepVerdict(combination);
              return <Tag kind={kind}>{text}</Tag>;
            },
          },
          ...(isRankedByReturn
            ? []
            : [
                {
                  head: `${STATISTICS[rankBy].label}, in sample`,
                  isNumber: true,
                  cell: (one: SweepCombination) => figure(one, 'in_sample'),
                },
                {
                  head: 'out of sample',
                  isNumber: true,
                  cell: (one: SweepCombination) => figure(one, 'out_of_sample'),
                },
              ]),
          {
            head: 'Total return, in sample',
            isNumber: true,
            cell: ({ in_sample }) => <Percent value={in_sample?.total_return_pct} signed />,
          },
          {
            head: 'out of sample',
            isNumber: true,
            cell: ({ out_of_sample }) => <Percent value={out_of_sample?.total_return_pct} signed />,
          },
          {
            head: 'Deepest drawdown, out of sample',
            isNumber: true,
            cell: ({ out_of_sample }) => <Percent value={out_of_sample?.max_drawdown_equity_pct} />,
          },
          {
            head: 'Trades, in and out',
            isNumber: true,
            cell: ({ in_sample, out_of_sample }) =>
              `${format.count(in_sample?.trades_count)}, ${format.count(out_of_sample?.trades_count)}`,
          },
          {
            head: 'Use',
            isCommands: true,
            cell: (combination) => (
              <span class="row">
                <LinkButton href={`#/backtests/new?sweep=${sweepId}&rank=${combination.rank}`} kind="quiet">
                  Backtest<span class="unseen"> {paramsText(combination.params)}</span>
                </LinkButton>
                {strategyId !== null && (
                  <Button
                    kind="quiet"
                    aria-label={`Use these in the strategy: ${paramsText(combination.params)}`}
                    onClick={() => {
                      setSaved(undefined);
                      setOtherParams(false);
                      setChosen(combination);
                    }}
                  >
                    Use these
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      <Confirm
        title="Use these parameters?"
        open={chosen !== undefined}
        action="Use them"
        danger={false}
        busy={save.isBusy}
        error={save.error}
        onClose={() => {
          setChosen(undefined);
          save.clear();
        }}
        onConfirm={() => {
          if (chosen) void save.run(chosen);
        }}
      >
        <p>
          The strategy gets a new version with {paramsText(chosen?.params ?? {})} as its usual parameters. New
          backtests and deployments use them; running deployments keep the rules that they began with.
        </p>
        {hasOtherParams && (
          <Notice kind="bad" isNew>
            The rules of the strategy have changed since and no longer have these parameters. Test the
            combination with “Backtest” instead.
          </Notice>
        )}
        {doubt && <Notice kind="warn">{doubt}</Notice>}
      </Confirm>
    </section>
  );
};
