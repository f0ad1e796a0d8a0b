import type { ComponentType } from 'preact';
import { hub } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { ApiKeys } from './api-keys.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExecutionAccounts } from './execution-accounts.tsx';
import { Factors } from './factors/factors.tsx';
import { Grants } from './grants.tsx';
import { LinkedBrokers } from './linked-brokers.tsx';
import { Password } from './password.tsx';
import { PlatformToken } from './platform-token.tsx';
import { Preferences } from './preferences.tsx';
import { profileOf } from './profile.ts';
import { ProfileCard } from './profile-card.tsx';
import { PushDevices } from './push-devices.tsx';
import { SecurityEvents } from './security-events.tsx';
import { Sessions } from './sessions.tsx';
import { Webhooks } from './webhooks.tsx';

const Account = () => {
  const profile = useResource(async (signal) => profileOf(await hub.verifyUser({}, { signal })), []);
  return (
    <Loaded of={profile}>
      {(loaded) => (
        <>
          <ProfileCard profile={loaded} />
          <DeleteAccount email={loaded.email} />
        </>
      )}
    </Loaded>
  );
};

const SignIns = () => (
  <>
    <Sessions />
    <Password />
    <SecurityEvents />
    <Grants />
    <PushDevices />
  </>
);

const Brokers = () => (
  <>
    <ExecutionAccounts />
    <LinkedBrokers />
  </>
);

const Programs = () => (
  <>
    <ApiKeys />
    <PlatformToken />
    <Webhooks />
  </>
);

/** Parts of the screen, by their name in the address. */
const PARTS: Readonly<Record<string, { readonly label: string; readonly part: ComponentType }>> = {
  account: { label: 'Account', part: Account },
  security: { label: 'Security', part: Factors },
  'sign-ins': { label: 'Sign-ins', part: SignIns },
  notifications: { label: 'Notifications', part: Preferences },
  brokers: { label: 'Brokers', part: Brokers },
  programs: { label: 'Programs', part: Programs },
};

/** Account, sign-ins, notifications, brokers and access of programs. */
const Settings = ({ query }: ScreenProps) => {
  const named = query.get('part') ?? 'account';
  const chosen = Object.hasOwn(PARTS, named) ? named : 'account';
  const Part = PARTS[chosen]?.part ?? Account;
  return (
    <Screen title="Settings">
      <Tabs
        label="Parts of the settings"
        items={Object.entries(PARTS).map(([name, { label }]) => ({
          href: `#/settings?part=${name}`,
          label,
          isCurrent: name === chosen,
        }))}
      />
      <Part key={chosen} />
    </Screen>
  );
};

export default Settings;
