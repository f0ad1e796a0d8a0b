import type { AccountSettings } from '../account/settings.ts';

/** Terms of an account that are those of its symbol. */
export type LegFields = 'size_step' | 'contract_size' | 'direction' | 'swap';

/** Terms that a symbol has of its own, instead of those of the account. */
export type LegCosts = Pick<AccountSettings, 'commission_rate' | 'slippage_rate' | 'limit_through'>;

/** Returns the terms of the account of a leg. */
export const settingsOf = (
  { account }: { readonly account: Omit<AccountSettings, LegFields> },
  leg: Pick<AccountSettings, LegFields> & {
    readonly share: number;
    readonly costs?: LegCosts | undefined;
  },
): AccountSettings => ({
  ...account,
  ...leg.costs,
  starting_capital: account.starting_capital * leg.share,
  size_step: leg.size_step,
  contract_size: leg.contract_size,
  direction: leg.direction,
  ...(leg.swap && { swap: leg.swap }),
});
