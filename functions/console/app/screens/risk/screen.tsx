import { useState } from 'preact/hooks';
import type { OverviewRisk } from '../../../../../infra/client/package/src/index.ts';
import { stateLabel } from '../../deployments/state-words.ts';
import { hub, ME } from '../../hub.ts';
import { LimitAmount } from '../../risk/amount.tsx';
import { AuditTrail } from '../../risk/audit-trail.tsx';
import { limitLabel } from '../../risk/limits.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Age } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Meter } from '../../ui/meter.tsx';
import { modeText } from '../../ui/mode.tsx';
import { Tag } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { Column } from '../../ui/table/table-props.ts';
import { useResource } from '../../ui/use-resource.ts';
import type { UpdateEvent } from '../../update-events.ts';
import { KillSwitchCard } from './kill-switch.tsx';
import { LimitsCard } from './limits-card.tsx';
import { OverallCard } from './overall-card.tsx';

const REFRESH_MS = 15_000;
/** Shows the progress of halting. */
const HALTING_MS = 2_000;
const ALL = 'all your deployments';

const isAboutRisk = ({ type }: UpdateEvent): boolean => /^(deployment|risk|kill_switch|order)\./.test(type);

const USE_COLUMNS: readonly Column<OverviewRisk>[] = [
  {
    head: 'Deployment',
    cell: ({ deployment_id: id, strategy_name: name }) => <a href={`#/risk?deployment=${id}`}>{name}</a>,
    isHead: true,
  },
  { head: 'Part', cell: ({ used_pct: percent }) => <Meter percent={percent} /> },
  { head: 'Money', cell: ({ mode }) => modeText(mode) },
  { head: 'Closest limit', cell: ({ limit }) => limitLabel(limit) },
  {
    head: 'Used',
    cell: ({ limit, used, currency }) => <LimitAmount name={limit} value={used} currency={currency} />,
    isNumber: true,
  },
  {
    head: 'At most',
    cell: ({ limit, allowed, currency }) => <LimitAmount name={limit} value={allowed} currency={currency} />,
    isNumber: true,
  },
  {
    head: 'State',
    cell: ({ tripped, status }) =>
      tripped === null ? stateLabel(status) : <Tag kind="bad">Stopped by: {limitLabel(tripped)}</Tag>,
  },
];

const MAX_LISTED = 100;

/** Limits, their use, the kill switch and the audit trail. */
const Risk = ({ query }: ScreenProps) => {
  const named = Number(query.get('deployment'));
  const deploymentId = Number.isSafeInteger(named) && named > 0 ? named : undefined;
  const [version, setVersion] = useState(0);
  const live = { everyMs: REFRESH_MS, on: isAboutRisk };
  const [isHalting, setHalting] = useState(false);
  const switches = useResource(
    async (signal) => {
      const state = await hub.getKillSwitch({ user_id: ME }, { signal });
      setHalting(state.halting !== null && state.halting.finished_at === null);
      return state;
    },
    [],
    { ...live, everyMs: isHalting ? HALTING_MS : REFRESH_MS },
  );
  const overview = useResource((signal) => hub.getAccountOverview({ user_id: ME }, { signal }), [], live);
  const deployments = useResource(
    (signal) => hub.getAllLiveDeploymentsV2({ user_id: ME, size: MAX_LISTED }, { signal }),
    [],
  );
  const limits = useResource(
    (signal) => hub.getRiskLimits({ user_id: ME, deployment_id: deploymentId }, { signal }),
    [deploymentId],
    live,
  );
  const changed = (): void => {
    setVersion(version + 1);
    for (const { reload } of [switches, overview, limits]) reload();
  };
  const listed = deployments.value?.items ?? [];
  const chosen = listed.find(({ deployment_id: id }) => id === deploymentId);
  const name = deploymentId === undefined ? ALL : (chosen?.strategy_name ?? `deployment ${deploymentId}`);
  const options = [
    { value: '', label: 'All your deployments' },
    ...listed.map(({ deployment_id: id, strategy_name: strategy, mode }) => ({
      value: String(id),
      label: `${strategy} (${mode === 'live' ? 'real' : 'paper'})`,
    })),
    ...(deploymentId !== undefined && !chosen ? [{ value: String(deploymentId), label: name }] : []),
  ];
  return (
    <Screen
      title="Risk"
      lead={
        <>
          Limits stop a deployment before its losses do. Read <Age at={limits.loadedAt} />.
        </>
      }
    >
      <Loaded of={switches}>{(state) => <KillSwitchCard state={state} onChange={changed} />}</Loaded>
      <section class="stack" aria-labelledby="use">
        <h2 id="use">Closest to a limit</h2>
        <Loaded
          of={overview}
          empty={({ risk }) =>
            risk.length === 0 &&
            'No deployment has a limit yet. Set limits below: they apply to running deployments within seconds.'
          }
        >
          {({ risk }) => (
            <DataTable
              caption="Use of the limits by deployment"
              columns={USE_COLUMNS}
              rows={risk}
              rowKey={({ deployment_id: id }) => id}
            />
          )}
        </Loaded>
      </section>
      <section class="stack" aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        <div class="form">
          <Field
            label="Limits of"
            hint="These limits apply to each deployment by itself. Those over all together are below."
          >
            <Select
              value={deploymentId === undefined ? '' : String(deploymentId)}
              onValue={(id) => navigate(id === '' ? '/risk' : `/risk?deployment=${id}`)}
              options={options}
            />
          </Field>
        </div>
        <Loaded of={limits}>{(out) => <LimitsCard out={out} name={name} onChange={changed} />}</Loaded>
      </section>
      <section class="stack" aria-labelledby="overall">
        <h2 id="overall">Limits over all deployments</h2>
        <Loaded of={limits}>{({ all }) => <OverallCard of={all} onChange={changed} />}</Loaded>
      </section>
      <AuditTrail key={deploymentId} deploymentId={deploymentId} version={version} />
    </Screen>
  );
};

export default Risk;
