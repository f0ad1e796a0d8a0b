import { unpackLedger } from '../data/books/packed-ledger.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, commandKeys } from './commands/command.ts';
import { changeDeployment } from './deployment-change.ts';
import { decideCommand } from './deployment-commands.ts';
import type { Effect, NotificationText } from './effect.ts';

/** Quantity that is left of a position, and that of its trades. */
interface Left {
  readonly held: string;
  readonly open: string;
}

const reasonOf = (symbol: string, left: Left | undefined): string =>
  left
    ? `The account at the broker holds only ${left.held} of ${left.open} ${symbol}: a part was closed outside of the hub. The exits are cut to what is left. ` +
      'Stop the deployment with flatten to close the rest, or close it at the broker, and then the trade in the books by hand.'
    : `The account at the broker does not hold the position in ${symbol}: it was closed outside of the hub. ` +
      'Close it in the books by hand at the price that you got, then resume the deployment; or stop the deployment.';

const commandOf = (symbol: string, left: Left | undefined): Command => ({
  action: 'halt',
  by: 'engine',
  stop_reason: 'position_missing',
  reason: reasonOf(symbol, left),
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
 *
 * @param left what the broker still holds. It may be closed, and the caller makes sure that the owner is notified once.
 */
export const haltForMissing = async (
  runtime: Runtime,
  deploymentId: number,
  symbol: string,
  left?: Left,
): Promise<void> => {
  const command = commandOf(symbol, left);
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
        deployment: {
          ...before,
          ...effect.deployment,
          kind: 'live',
          ...(!left && { missing: [...missing, symbol] }),
        },
        notifications: [missingText(before, symbol, command)],
      };
    },
    commandKeys(deploymentId),
  );
};
