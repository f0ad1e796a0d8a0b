import type { TradingDeployment } from '../data/deployments/deployments.ts';
import type { DeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { decimal, shownAmount } from '../domain/money.ts';
import { usedText } from '../domain/risk/limit-texts.ts';
import type { Usage } from '../domain/risk/usage.ts';
import { closingText } from './commands/notifications.ts';
import type { NotificationText } from './effect.ts';

type Named = Pick<TradingDeployment, 'strategy_name' | 'currency'>;

const rounded = (amount: string): number => Number(decimal(amount).toFixed(2));

/** Returns the notification that most of a limit is used. */
export const warningText = ({ strategy_name, currency }: Named, usage: Usage): NotificationText => {
  const { limit, used, allowed } = usage;
  const used_pct = rounded(decimal(used).div(allowed).times(100).toFixed());
  return {
    kind: 'risk_warning',
    severity: 'warning',
    title: `${strategy_name} is close to a risk limit`,
    body: `${usedText(usage, currency, used_pct)}.`,
    data: { limit, used: shownAmount(used), allowed, used_pct, currency },
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
  deployment: TradingDeployment,
  { reason, ...data }: { readonly reason: string } & Readonly<Record<'limit' | 'used' | 'allowed', string>>,
  { status, flatten }: { readonly status: DeploymentStatus; readonly flatten: boolean },
): NotificationText => {
  const parts = [
    `${reason}.`,
    EFFECTS[status] ?? '',
    closingText(deployment, { flatten }),
    'To trade again, resume it with a reason.',
  ];
  return {
    kind: 'risk_tripped',
    severity: 'error',
    title: `A risk limit stopped ${deployment.strategy_name}`,
    body: parts.filter((part) => part !== '').join(' '),
    data: { ...data, used: shownAmount(data.used), currency: deployment.currency },
  };
};
