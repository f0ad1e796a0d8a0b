import type { Plan } from '../plans.ts';

/** Facts that determine the add-ons of a strategy. */
export interface AddOnFacts {
  readonly plan: Plan;
  readonly emailVerified: boolean;
  readonly phoneVerified: boolean;
  readonly brokerConnected: boolean;
  readonly symbols: number;
  readonly published: boolean;
}

interface AddOn {
  readonly add_on_id: string;
  readonly name: string;
  readonly description: string;
  readonly category: 'alerts' | 'execution' | 'sharing';
  /** Returns whether the strategy has the add-on now. */
  readonly enabled: (facts: AddOnFacts) => boolean;
  /** Returns why the add-on is not available; undefined if it is. */
  readonly obstacle: (facts: AddOnFacts) => string | undefined;
}

const always = (): undefined => undefined;

const ADD_ONS: readonly AddOn[] = [
  {
    add_on_id: 'push_alerts',
    name: 'Push alerts',
    description: 'Signals and fills on your devices',
    category: 'alerts',
    enabled: () => true,
    obstacle: always,
  },
  {
    add_on_id: 'email_alerts',
    name: 'E-mail alerts',
    description: 'Signals and fills by mail',
    category: 'alerts',
    enabled: ({ emailVerified }) => emailVerified,
    obstacle: ({ emailVerified }) => (emailVerified ? undefined : 'Verify your e-mail first.'),
  },
  {
    add_on_id: 'sms_alerts',
    name: 'SMS alerts',
    description: 'Signals and fills as text messages',
    category: 'alerts',
    enabled: ({ phoneVerified, plan }) => phoneVerified && plan !== 'free',
    obstacle: ({ phoneVerified, plan }) => {
      if (plan === 'free') return 'Text messages come with the pro plan.';
      return phoneVerified ? undefined : 'Verify your phone first.';
    },
  },
  {
    add_on_id: 'paper_trading',
    name: 'Paper trading',
    description: 'Runs the strategy with virtual money',
    category: 'execution',
    enabled: () => true,
    obstacle: always,
  },
  {
    add_on_id: 'live_trading',
    name: 'Live trading',
    description: 'Runs the strategy on your broker account',
    category: 'execution',
    enabled: ({ brokerConnected }) => brokerConnected,
    obstacle: ({ brokerConnected }) => (brokerConnected ? undefined : 'Connect a broker account first.'),
  },
  {
    add_on_id: 'scanner',
    name: 'Scanner',
    description: 'Watches a whole universe of instruments for the signals of the strategy',
    category: 'execution',
    enabled: ({ symbols }) => symbols === 1,
    obstacle: ({ symbols }) =>
      symbols === 1 ? undefined : 'A scanner needs a strategy over one instrument.',
  },
  {
    add_on_id: 'explore_listing',
    name: 'Explore listing',
    description: 'Shows the strategy in the explore catalogue',
    category: 'sharing',
    enabled: ({ published }) => published,
    obstacle: always,
  },
];

/** Returns every add-on, whether the strategy has it, and the reason if it is not available. */
export const addOnsFor = (facts: AddOnFacts) =>
  ADD_ONS.map(({ enabled, obstacle, ...addOn }) => {
    const reason = obstacle(facts);
    return { ...addOn, enabled: enabled(facts), available: reason === undefined, reason: reason ?? null };
  });
