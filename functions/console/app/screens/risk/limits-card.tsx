import type { RiskLimits, RiskLimitsOut, RiskUsage } from '../../../../../infra/client/package/src/index.ts';
import { LimitAmount } from '../../risk/amount.tsx';
import { limitLabel, NUMBER_LIMITS, type NumberLimit } from '../../risk/limits.ts';
import { allowedWords } from '../../risk/words.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { When } from '../../ui/figures.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/table-props.ts';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { LimitsDialog } from './limits-form.tsx';

interface Row {
  readonly name: NumberLimit;
  readonly value: number;
  readonly from: string;
  readonly usage: RiskUsage | undefined;
}

const levelOf = ({ plan, user }: RiskLimitsOut, name: NumberLimit, value: number): string => {
  if (user?.[name] === value) return 'All your deployments';
  return plan?.[name] === value ? 'Your plan, for real money' : 'This deployment';
};

const rowsOf = (out: RiskLimitsOut): Row[] =>
  NUMBER_LIMITS.flatMap(({ name }) => {
    const value = out.merged[name];
    if (value === null) return [];
    const usage = out.usage.find(({ limit }) => limit === name);
    return [{ name, value, from: levelOf(out, name, value), usage }];
  });

const Others = ({ of: limits }: { readonly of: RiskLimits }) => (
  <ul class="plain-list">
    <li>
      When a loss limit is reached:{' '}
      {limits.action === 'flatten'
        ? 'halt, and close all positions.'
        : 'pause; no new entries, but stops and exits go on.'}
    </li>
    {allowedWords(limits).map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

interface LimitsCardProps {
  readonly out: RiskLimitsOut;
  /** Name of the deployment, or of all deployments. */
  readonly name: string;
  readonly onChange: () => void;
}

/** Limits that apply, how much of each is used, and a button to change them. */
export const LimitsCard = ({ out, name, onChange }: LimitsCardProps) => {
  const { deployment_id: id, currency, merged, state } = out;
  const [isOpen, setOpen] = useKeptFlag(`limits ${id ?? ''}`);
  const rows = rowsOf(out);
  const columns: readonly Column<Row>[] = [
    { head: 'Limit', cell: (row) => limitLabel(row.name), isHead: true },
    {
      head: 'At most',
      cell: (row) => <LimitAmount name={row.name} value={row.value} currency={currency} />,
      isNumber: true,
    },
    ...(id === null
      ? []
      : [
          {
            head: 'Used',
            cell: ({ name: limit, usage }: Row) =>
              usage && <LimitAmount name={limit} value={usage.used} currency={currency} />,
            isNumber: true,
          },
          { head: 'Part', cell: ({ usage }: Row) => usage && <Meter percent={usage.used_pct} /> },
        ]),
    { head: 'Set by', cell: ({ from }) => from },
  ];
  return (
    <>
      {state?.tripped && (
        <Notice kind="bad">
          The limit “{limitLabel(state.tripped.limit)}” stopped this deployment on{' '}
          <When at={state.tripped.at} seconds />:{' '}
          <LimitAmount name={state.tripped.limit} value={state.tripped.used} currency={currency} /> of{' '}
          <LimitAmount name={state.tripped.limit} value={state.tripped.allowed} currency={currency} />.{' '}
          <a href={`#/deployments/${id}`}>Open the deployment</a> to resume it.
        </Notice>
      )}
      {rows.length > 0 ? (
        <DataTable caption={`Limits of ${name}`} columns={columns} rows={rows} rowKey={(row) => row.name} />
      ) : (
        <p class="empty">
          No limit is set. Set a loss in a day first: it stops a deployment before a bad day gets worse.
        </p>
      )}
      <Others of={merged} />
      <div class="actions">
        <Button onClick={() => setOpen(true)}>Change the limits…</Button>
      </div>
      {isOpen && (
        <LimitsDialog
          deploymentId={id ?? undefined}
          name={name}
          currency={currency}
          limits={id === null ? out.user : out.deployment}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onChange();
          }}
        />
      )}
    </>
  );
};
