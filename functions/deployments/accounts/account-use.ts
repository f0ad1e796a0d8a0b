import { HubError } from '../../../shared/api/errors.ts';
import type { TradingSummary } from '../../../shared/data/books/summary.ts';
import { isHubRun } from '../../../shared/data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { OPEN_ORDER_STATUSES } from '../../../shared/domain/orders/order-states.ts';

/** A deployment that trades a symbol on an account, or left something there. */
export interface AccountUse {
  readonly symbol: string;
  readonly deployment_id: number;
  readonly isEnded: boolean;
}

const hasOpenOrders = ({ orders }: TradingSummary): boolean =>
  OPEN_ORDER_STATUSES.some((status) => (orders[status] ?? 0) > 0);

/** Returns the symbols that a deployment uses at its account: an ended one those that it left open. */
const usedSymbols = (summary: TradingSummary): readonly string[] => {
  if (!isFinalDeploymentStatus(summary.status) || hasOpenOrders(summary)) return summary.symbols;
  return summary.positions.map(({ symbol }) => symbol);
};

/**
 * Finds a deployment that uses a symbol at an account. A broker holds one position for each symbol, and an exit that
 * rests there makes an opposite or a second entry impossible.
 *
 * @param listed the running deployments of the user, and those that ended with something open.
 */
export const findUse = (
  listed: readonly TradingSummary[],
  accountId: string,
  symbols: readonly string[],
): AccountUse | undefined => {
  for (const summary of listed) {
    if (summary.mode !== 'live' || summary.account_id !== accountId || !isHubRun(summary)) continue;
    const used = usedSymbols(summary);
    const symbol = symbols.find((one) => used.includes(one));
    if (symbol === undefined) continue;
    const { deployment_id, status } = summary;
    return { symbol, deployment_id, isEnded: isFinalDeploymentStatus(status) };
  }
  return undefined;
};

/** Says why a symbol cannot be traded at an account. */
export const useText = ({ symbol, deployment_id: id, isEnded }: AccountUse): string =>
  isEnded
    ? `Deployment ${id} has ended and left a position or an order in ${symbol} on this account. Close it first, or choose another account.`
    : `Deployment ${id} trades ${symbol} on this account. A broker holds one position for each symbol, so the two would take each other’s stops. Stop it first, or choose another account.`;

/** @throws HubError connection_used */
export const requireUnused = (
  listed: readonly TradingSummary[],
  accountId: string,
  symbols: readonly string[],
): void => {
  const use = findUse(listed, accountId, symbols);
  if (use) throw new HubError('connection_used', useText(use));
};
