import { changesDeployments } from '../../deployments/changes.ts';
import { LiveBadge } from '../../deployments/real-badge.tsx';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { EndedList, NotificationList, ScannerList, TradingList } from './lists.tsx';
import { Accounts, Exposure, RiskUse } from './overview.tsx';
import { WaitingProposals } from './waiting-proposals.tsx';

const VIEWS = [
  { view: 'trading', label: 'Trading' },
  { view: 'notifications', label: 'Notifications' },
  { view: 'scanners', label: 'Scanners' },
  { view: 'ended', label: 'Ended' },
] as const;

const REFRESH_MS = 15_000;

const Trading = () => {
  const overview = useResource((signal) => hub.getAccountOverview({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
    on: changesDeployments,
  });
  return (
    <>
      <Loaded of={overview}>{(value) => <Accounts of={value} />}</Loaded>
      <TradingList onChange={overview.reload} />
      {overview.value && overview.value.accounts.length > 0 && (
        <>
          <Exposure of={overview.value} />
          <RiskUse of={overview.value} />
        </>
      )}
    </>
  );
};

/** Leads to the kill switch, unless it is known that nothing runs. */
const StopEverything = () => {
  const account = useResource((signal) => hub.verifyUser({}, { signal }), [], {
    everyMs: REFRESH_MS,
    on: changesDeployments,
  });
  if (account.value?.subscription.deploy_used === 0) return null;
  return (
    <LinkButton kind="danger" href="#/risk">
      Stop everything
    </LinkButton>
  );
};

const Deployments = ({ query }: ScreenProps) => {
  const asked = query.get('view');
  const current = VIEWS.find(({ view }) => view === asked)?.view ?? 'trading';
  return (
    <Screen
      title="Deployments"
      lead="Strategies that run for you: with real money, on paper, as notifications or as scanners."
      actions={
        <>
          <LiveBadge />
          <StopEverything />
        </>
      }
    >
      <Tabs
        label="Kinds of deployments"
        items={VIEWS.map(({ view, label }) => ({
          href: view === 'trading' ? '#/deployments' : `#/deployments?view=${view}`,
          label,
          isCurrent: view === current,
        }))}
      />
      <WaitingProposals />
      {current === 'trading' && <Trading />}
      {current === 'notifications' && <NotificationList />}
      {current === 'scanners' && <ScannerList />}
      {current === 'ended' && <EndedList />}
    </Screen>
  );
};

export default Deployments;
