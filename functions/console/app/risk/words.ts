import type { AuditEntry, RiskHours, RiskLimits } from '../../../../infra/client/package/src/index.ts';
import { WEEKDAYS } from './limits.ts';

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  deployment_paused: 'Deployment paused',
  deployment_resumed: 'Deployment resumed',
  deployment_halted: 'Deployment halted',
  deployment_stop_requested: 'Stop of a deployment requested',
  deployment_stopped: 'Deployment stopped',
  risk_limits_set: 'Limits changed',
  risk_limit_tripped: 'Limit reached',
  kill_switch_thrown: 'Kill switch thrown',
  kill_switch_re_armed: 'Kill switch re-armed',
  execution_connected: 'Broker account connected',
  execution_disconnected: 'Broker account disconnected',
  signal_hook_created: 'Signal address created',
  split_booked: 'Split booked',
  other: 'Other action',
};

const ACTORS: Readonly<Record<AuditEntry['by'], string>> = {
  user: 'You',
  broker: 'Your broker',
  operator: 'The operator of the service',
  risk_limit: 'A risk limit',
  kill_switch: 'A kill switch',
  engine: 'The engine',
};

const or = (words: Readonly<Record<string, string>>, name: string): string =>
  words[name] ?? name.replaceAll('_', ' ');

/** Words an action of the audit trail. The service may add actions. */
export const actionWords = (action: string): string => or(ACTIONS, action);

/** Words an actor of the audit trail. The service may add actors. */
export const actorWords = (actor: string): string => or(ACTORS, actor);

/** Words the days on which hours begin. */
export const daysWords = ({ weekdays }: RiskHours): string =>
  weekdays
    ? WEEKDAYS.flatMap(([day, name]) => (weekdays.includes(day) ? [name] : [])).join(', ')
    : 'every day';

/** Words hours in which entries are allowed. */
export const hoursWords = (hours: RiskHours): string =>
  `${hours.from} to ${hours.to} (${hours.time_zone}), ${daysWords(hours)}`;

/** Words the symbols and the hours in which entries are allowed. */
export const allowedWords = ({ symbols, hours }: Pick<RiskLimits, 'symbols' | 'hours'>): string[] => [
  ...(symbols ? [`Entries only in: ${symbols.length > 0 ? symbols.join(', ') : 'no symbol at all'}.`] : []),
  ...hours.map((one) => `Entries only from ${hoursWords(one)}.`),
];
