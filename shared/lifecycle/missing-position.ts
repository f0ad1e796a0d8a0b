import { unpackLedger } from '../data/books/packed-ledger.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, commandKeys } from './commands/command.ts';
import { changeDeployment } from './deployment-change.ts';
import { decideCommand } from './deployment-commands.ts';
import type { Effect, NotificationText } from './effect.ts';

const commandOf = (symbol: string): Command => ({
  action: 'halt',
  by: 'engine',
  stop_reason: 'position_missing',
  reason:
    `The account at the broker does not hold the position in ${symbol}: it was closed outside of the hub. ` +
    'Close it in the books by hand at the price that you got, then resume the deployment; or stop the deployment.',
});

const missingText = (
  { strategy_name }: TradingDeployment,
  symbol: string,
  { reason, by }: Command,
): NotificationText => ({
  kind: 'deployment_halted',
  severity: 'warning',
  symbol,
  title: `${strategy_name}: a position is missing at the broker`,
  body: reason,
  data: { by, reason, flatten: false },
});

/**
 * Halts a deployment whose books hold a position that its broker does not. No close of the symbol is requested until the
 * deployment is resumed; closes of other symbols go on if it is flattened. The owner is notified once. No-op if nothing is
 * open in the books, or the deployment has ended.
 */
export const haltForMissing = async (
  runtime: Runtime,
  deploymentId: number,
  symbol: string,
): Promise<void> => {
  const command = commandOf(symbol);
  await changeDeployment(
    runtime,
    deploymentId,
    (before, now, items): Effect | undefined => {
      if (before?.kind !== 'live' || isFinalDeploymentStatus(before.status)) return undefined;
      const { missing = [] } = before;
      const { position } = unpackLedger(before.ledger).head.symbols[symbol] ?? {};
      if (missing.includes(symbol) || !position) return undefined;
      const commanded = decideCommand(before, command, { now, items });
      const effect: Effect =
        commanded.outcome === 'done'
          ? { ...commanded.effect, notifications: [] }
          : { deployment: before, notifications: [] };
      return {
        ...effect,
        // A deployment that is halted already, or being stopped, keeps its reason.
        deployment: { ...before, ...effect.deployment, kind: 'live', missing: [...missing, symbol] },
        notifications: [missingText(before, symbol, command)],
      };
    },
    commandKeys(deploymentId),
  );
};
