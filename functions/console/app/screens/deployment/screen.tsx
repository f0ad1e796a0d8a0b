import type { GetDeploymentOutput } from '../../../../../infra/client/package/src/index.ts';
import { DeployDialog } from '../../deploy/deploy-dialog.tsx';
import { BrokerState } from '../../deployments/broker-state.tsx';
import { commandedLive, commandedOther } from '../../deployments/commands.tsx';
import { OldPrices } from '../../deployments/old-prices.tsx';
import { type DeploymentFacts, isOver } from '../../deployments/state-words.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { AuditTrail } from '../../risk/audit-trail.tsx';
import type { ScreenProps } from '../../router.ts';
import { barsText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Age, When } from '../../ui/figures.tsx';
import { askable, idOf, isMissing } from '../../ui/ids.ts';
import { LatePart } from '../../ui/late.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { CommandBar } from './command-bar.tsx';
import { NotificationNow, ScannerNow, TradingNow } from './now.tsx';
import { Limits } from './safety.tsx';
import { SignalAddress } from './signal-address.tsx';

const MARKS_MS = 15_000;

const VIEWS = [
  { view: 'now', label: 'Now', isTrading: false },
  { view: 'why', label: 'Why did it not trade?', isTrading: false },
  { view: 'results', label: 'Results', isTrading: true },
  { view: 'orders', label: 'Orders', isTrading: true },
  { view: 'trades', label: 'Trades', isTrading: true },
  { view: 'safety', label: 'Limits and checks', isTrading: false },
] as const;

type View = (typeof VIEWS)[number]['view'];

const factsOf = (value: GetDeploymentOutput): DeploymentFacts => {
  const phase = value.live?.phase ?? value.notification?.phase;
  return { ...value, kind: value.deployment_type, ...(phase && { phase }) };
};

const commanded = ({ live, notification, scanner }: GetDeploymentOutput) => {
  if (live) return commandedLive(live);
  if (notification) return commandedOther(notification, 'notification');
  return scanner && commandedOther(scanner, 'scanner');
};

const addressOfFailures = (id: number): string => `#/notifications?kind=deployment_error&deployment=${id}`;

const DEEDS = {
  live: ['trades', 'traded'],
  notification: ['notifies of', 'notified of'],
  scanner: ['scans', 'scanned'],
} as const;

const Lead = ({ of: value }: { of: GetDeploymentOutput }) => {
  const record = value.live ?? value.notification ?? value.scanner;
  if (!record) return null;
  const { deployed_at, expires_at, stopped_at, timeframe, strategy_id } = record;
  const watched = value.live ?? value.notification;
  const [present, past] = DEEDS[value.deployment_type];
  return (
    <>
      <a href={`#/strategies/${strategy_id}`}>The strategy</a> {stopped_at ? past : present}{' '}
      {watched ? watched.symbol.replaceAll(',', ', ') : value.scanner?.universe_name} on {barsText(timeframe)}{' '}
      {stopped_at ? 'from' : 'since'} <When at={deployed_at} />
      {stopped_at ? (
        <>
          {' '}
          until <When at={stopped_at} />
        </>
      ) : (
        expires_at && (
          <>
            ; it ends <When at={expires_at} />
          </>
        )
      )}
      .
    </>
  );
};

// Loads the views when they are looked at: some have words for every cause and every difference.
const loadChart = async () => (await import('./chart/deployment-chart.tsx')).DeploymentChart;
const loadEngine = async () => (await import('./engine.tsx')).Engine;
const loadParity = async () => (await import('./parity.tsx')).Parity;
const loadResults = async () => (await import('./performance.tsx')).PerformanceView;
const loadOrders = async () => (await import('./orders.tsx')).Orders;
const loadTrades = async () => (await import('./orders.tsx')).Trades;

const Body = ({ of: value, view }: { of: GetDeploymentOutput; view: View }) => {
  const { deployment_id: id, live, notification, scanner, status } = value;
  const facts = factsOf(value);
  const engine = (live ?? notification ?? scanner)?.engine;
  const isHub = engine === 'hub';
  const limits = useResource(
    async (signal) => (live ? hub.getRiskLimits({ user_id: ME, deployment_id: id }, { signal }) : null),
    [id, live !== null],
    { everyMs: MARKS_MS * 2, on: (event) => event.deployment_id === id },
  );
  if (view === 'now') {
    return (
      <>
        {live && <TradingNow of={live} />}
        {live && <LatePart load={loadChart} props={{ live }} />}
        {live?.mode === 'live' && engine !== 'external' && <BrokerState id={id} />}
        {notification && <NotificationNow of={notification} />}
        {scanner && <ScannerNow of={scanner} />}
      </>
    );
  }
  if (view === 'why') {
    const props = { id, facts, isHub: isHub || engine === 'signals', live, of: limits };
    return <LatePart load={loadEngine} props={props} />;
  }
  if (view === 'safety') {
    const isOnPaper = live?.mode === 'virtual';
    const isDriven = isOnPaper || notification !== null || engine === 'signals';
    const takesSignals = !isHub && !isOver(status) && isDriven;
    return (
      <>
        {live && <Limits of={limits} />}
        {live && isHub && <LatePart load={loadParity} props={{ id, isReal: !isOnPaper }} />}
        {takesSignals && <SignalAddress of={value} />}
        <AuditTrail deploymentId={id} />
      </>
    );
  }
  if (!live) return null;
  if (view === 'results') return <LatePart load={loadResults} props={{ of: { ...live, id } }} />;
  if (view === 'orders') return <LatePart load={loadOrders} props={{ id, symbols: live.symbols }} />;
  return <LatePart load={loadTrades} props={{ id }} />;
};

/** Deploys the strategy of an ended deployment again. */
const Again = ({ of: value }: { of: GetDeploymentOutput }) => {
  const [isOpen, setOpen] = useKeptFlag('deploy');
  const record = value.live ?? value.notification ?? value.scanner;
  if (!record || !isOver(value.status)) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Deploy again
      </Button>
      <DeployDialog strategy={record} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
};

const Deployment = ({ params, query }: ScreenProps) => {
  const id = idOf(params.id);
  const asked = query.get('view');
  const deployment = useResource(
    async (signal) => hub.getDeployment({ user_id: ME, deployment_id: askable(id) }, { signal }),
    [id],
    { everyMs: MARKS_MS, on: (event) => event.deployment_id === id },
  );
  const { value, reload } = deployment;
  const own = value && commanded(value);
  const watched = value?.live ?? value?.notification;
  const views = VIEWS.filter(({ isTrading }) => !isTrading || value?.deployment_type === 'live');
  if (!value && isMissing(deployment.error)) {
    return <Missing thing="deployment" ways={[{ href: '#/deployments', label: 'Your deployments' }]} />;
  }
  const current = views.find(({ view }) => view === asked)?.view ?? 'now';
  return (
    <Screen
      title={own?.name ?? 'Deployment'}
      lead={value && <Lead of={value} />}
      actions={value && <Again of={value} />}
    >
      {own && <CommandBar of={value} facts={factsOf(value)} commanded={own} onDone={reload} />}
      <p class="muted">
        Figures of <Age at={deployment.loadedAt} />
      </p>
      {value?.market_time && (
        <Notice>
          {value.replay
            ? `Replay of ${value.replay.symbol} from ${format.day(value.replay.from).text}: recorded prices, its own clock. Its figures count nowhere else.`
            : value.is_demo
              ? 'Demo market: invented prices, its own clock.'
              : 'It decides at the close of bars, and its orders have the time of their bar.'}
        </Notice>
      )}
      {watched && value && !isOver(value.status) && !value.is_demo && watched.engine === 'hub' && (
        <OldPrices symbols={watched.symbol.split(',')} timeframe={watched.timeframe} />
      )}
      {value?.status === 'error' && (
        <Notice kind="bad">
          <a href={addressOfFailures(value.deployment_id)}>See why it failed</a> in its notifications.
        </Notice>
      )}
      <Tabs
        label="Parts of the deployment"
        items={views.map(({ view, label }) => ({
          href: `#/deployments/${id}?view=${view}`,
          label: view === 'why' && value?.deployment_type !== 'live' ? 'What does it wait for?' : label,
          isCurrent: view === current,
        }))}
      />
      <Loaded of={deployment}>{(loaded) => <Body of={loaded} view={current} />}</Loaded>
    </Screen>
  );
};

export default Deployment;
