import * as z from 'zod';
import { swapTermsSchema } from '../../instruments/rollover.ts';
import { DIRECTIONS } from '../../strategies/strategies.ts';
import type { AccountSettings } from './settings.ts';

/** Figures of the account: its capital, costs and margin. */
export const accountFigures = {
  starting_capital: z.number(),
  commission_rate: z.number(),
  commission_fixed: z.number(),
  commission_per_unit: z.number(),
  commission_min: z.number(),
  spread_rate: z.number(),
  slippage_rate: z.number(),
  margin: z.number(),
  maintenance: z.number(),
};

/** Choices of the account that decide its fills. */
export const fillChoices = {
  fill_at: z.enum(['next_open', 'signal_close']),
  stop_basis: z.enum(['fill', 'signal_close']),
  entry_bar: z.enum(['worst', 'next_bar']),
  close_at_end: z.enum(['mark', 'last_open']),
};

/** Schema of the stored terms of an account. */
export const accountSettingsSchema = z
  .object({
    ...accountFigures,
    size_step: z.number(),
    contract_size: z.number(),
    ...fillChoices,
    direction: z.enum(DIRECTIONS),
    swap: swapTermsSchema.optional(),
  })
  .transform(({ swap, ...settings }): AccountSettings => ({ ...settings, ...(swap && { swap }) }));
