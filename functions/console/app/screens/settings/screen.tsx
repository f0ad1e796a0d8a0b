import type { ComponentType } from 'preact';
import type { ScreenProps } from '../../router.ts';
import { LatePart } from '../../ui/late.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';

interface Part {
  readonly label: string;
  readonly load: () => Promise<ComponentType>;
}

const ACCOUNT: Part = {
  label: 'Account',
  load: async () => (await import('./parts/account.tsx')).Account,
};

/** Parts of the screen, by their name in the address. Each is loaded when it is looked at. */
const PARTS: Readonly<Record<string, Part>> = {
  account: ACCOUNT,
  security: { label: 'Security', load: async () => (await import('./factors/factors.tsx')).Factors },
  'sign-ins': { label: 'Sign-ins', load: async () => (await import('./parts/sign-ins.tsx')).SignIns },
  notifications: {
    label: 'Notifications',
    load: async () => (await import('./preferences.tsx')).Preferences,
  },
  brokers: { label: 'Brokers', load: async () => (await import('./parts/brokers.tsx')).Brokers },
  programs: { label: 'Programs', load: async () => (await import('./parts/programs.tsx')).Programs },
};

/** Account, sign-ins, notifications, brokers and access of programs. */
const Settings = ({ query }: ScreenProps) => {
  const named = query.get('part') ?? 'account';
  const chosen = Object.hasOwn(PARTS, named) ? named : 'account';
  const { load } = PARTS[chosen] ?? ACCOUNT;
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
      <LatePart load={load} props={{}} />
    </Screen>
  );
};

export default Settings;
