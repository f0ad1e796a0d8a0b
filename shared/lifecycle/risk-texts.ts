import type { TradingDeployment } from '../data/deployments/deployments.ts';
import type { DeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { decimal, toMoney } from '../domain/money.ts';
import { limitText } from '../domain/risk/check-entry.ts';
import type { Usage } from '../domain/risk/usage.ts';
import type { NotificationText } from './deployment-change.ts';

type Named = Pick<TradingDeployment, 'strategy_name' | 'currency'>;

const AMOUNTS: ReadonlySet<string> = new Set(['daily_loss', 'position_value', 'order_value']);
const PERCENTAGES: ReadonlySet<string> = new Set(['daily_loss_pct', 'drawdown_pct']);

const rounded = (amount: string): number => Number(decimal(amount).toFixed(2));

/** Writes a value of a limit with its unit. */
const shown = (limit: string, value: string, currency: string): string => {
  if (AMOUNTS.has(limit)) return `${toMoney(value, currency).toLocaleString('en')} ${currency}`;
  return PERCENTAGES.has(limit) ? `${rounded(value)} %` : String(rounded(value));
};

/** Writes how much of a limit is used, for example `loss of the day 812.5 USD, limit 1,000 USD`. */
const comparison = ({ limit, used, allowed }: Usage, currency: string): string =>
  `${limitText(limit)} ${shown(limit, used, currency)}, limit ${shown(limit, allowed, currency)}`;

/** Returns the notification that most of a limit is used. */
export const warningText = ({ strategy_name, currency }: Named, usage: Usage): NotificationText => {
  const { limit, used, allowed } = usage;
  const used_pct = rounded(decimal(used).div(allowed).times(100).toFixed());
  return {
    kind: 'risk_warning',
    severity: 'warning',
    title: `${strategy_name} is close to a risk limit`,
    body: `${used_pct} % of a limit is used: ${comparison(usage, currency)}.`,
    data: { limit, used, allowed, used_pct, currency },
  };
};

const EFFECTS: Readonly<Partial<Record<DeploymentStatus, string>>> = {
  paused: 'It is paused: no position is opened; stops, targets and exits go on.',
  halted: 'It is halted: nothing is ordered.',
};

/**
 * Returns the notification that a limit has stopped a deployment.
 *
 * @param breach reason of the stop, with the limit.
 * @param stop status afterwards, and whether positions are closed.
 */
export const trippedText = (
  { strategy_name, currency }: Named,
  { reason, ...data }: { readonly reason: string } & Readonly<Record<'limit' | 'used' | 'allowed', string>>,
  { status, flatten }: { readonly status: DeploymentStatus; readonly flatten: boolean },
): NotificationText => {
  const parts = [
    `${reason[0]?.toUpperCase() ?? ''}${reason.slice(1)}.`,
    EFFECTS[status] ?? '',
    flatten ? 'Its orders are cancelled and its positions closed.' : '',
    'To trade again, resume it with a reason.',
  ];
  return {
    kind: 'risk_tripped',
    severity: 'error',
    title: `A risk limit stopped ${strategy_name}`,
    body: parts.filter((part) => part !== '').join(' '),
    data: { ...data, currency },
  };
};

/** Writes which limit was reached, as the reason of the stop. */
export const reachedText = (usage: Usage, currency: string): string =>
  `risk limit reached: ${comparison(usage, currency)}`;
