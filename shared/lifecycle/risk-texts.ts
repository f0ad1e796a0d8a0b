import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { decimal, toText } from '../domain/money.ts';
import type { Usage } from '../domain/risk/check-book.ts';
import { limitText } from '../domain/risk/check-entry.ts';
import type { NotificationText } from './deployment-change.ts';

const DIGITS = 8;

/** Rounds an amount for a sentence. */
const shown = (amount: string): string => toText(decimal(decimal(amount).toFixed(DIGITS)));

const comparison = ({ limit, used, allowed }: Usage): string =>
  `${limitText(limit)}: ${shown(used)} of ${shown(allowed)}`;

const dataOf = ({ limit, used, allowed }: Usage) => ({ limit, used, allowed });

/** Returns the notification that most of a limit is used. */
export const warningText = (
  { strategy_name }: Pick<TradingDeployment, 'strategy_name'>,
  usage: Usage,
): NotificationText => ({
  kind: 'risk_warning',
  severity: 'warning',
  title: `${strategy_name} is close to a risk limit`,
  body: `Most of it is used: ${comparison(usage)}.`,
  data: dataOf(usage),
});

/** Returns the notification that a limit has stopped a deployment. */
export const trippedText = (
  { strategy_name }: Pick<TradingDeployment, 'strategy_name'>,
  reason: string,
  data: Readonly<Record<string, unknown>>,
): NotificationText => ({
  kind: 'risk_tripped',
  severity: 'error',
  title: `A risk limit stopped ${strategy_name}`,
  body: `${reason}. Resume it with a reason to trade again.`,
  data: { ...data },
});

/** Writes which limit was reached, as the reason of the stop. */
export const reachedText = (usage: Usage): string => `risk limit reached, ${comparison(usage)}`;
