import { HubError } from '../../../shared/api/errors.ts';
import type { ExecutionConnection } from '../../../shared/data/execution/connections.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import type { AccountInput } from '../../../shared/domain/engine/backtest/account-input.ts';
import { inWholeShares, type ProtectionChoices, protectionPlan } from '../accounts/protection-plan.ts';
import { type Choice, type HubRun, hubRunOf } from './hub-run.ts';

/** Returns the terms of an account whose orders a broker fills: the broker's own costs count. */
const atBroker = (account: AccountInput): AccountInput => ({
  ...account,
  financing: 'none',
  fill_at: 'signal_close',
});

/** Returns the setup of a deployment whose orders a broker fills. Arguments and errors as of {@link hubRunOf}. */
export const realRunOf = (
  strategy: Strategy,
  choice: Choice,
  source: Parameters<typeof hubRunOf>[2],
  choices: ProtectionChoices,
): HubRun => {
  const { account } = source;
  const run = hubRunOf(strategy, choice, { ...source, account: atBroker(account) });
  return { ...run, setup: inWholeShares(run.setup, choices, account.size_step !== undefined) };
};

/** Refuses what the broker of an account cannot protect. @throws HubError strategy_unsuitable */
export const requireProtection = (
  { adapter }: Pick<ExecutionConnection, 'adapter'>,
  { setup }: Pick<HubRun, 'setup'>,
  choices: ProtectionChoices,
): void => {
  const [refusal] = protectionPlan(adapter, setup, choices).refusals;
  if (refusal !== undefined) throw new HubError('strategy_unsuitable', refusal);
};
