import * as z from 'zod';
import { integer } from '../../../shared/api/fields.ts';
import { accountForm } from './account-form.ts';
import { protectionForm } from './protection-form.ts';

/** Terms of a deployment that trades, apart from its mode. */
export const tradingForm = {
  starting_capital: z.string(),
  currency: z.string().default('USD'),
  broker_id: integer().optional(),
  account_id: z.string().max(64).optional(),
  symbols: z.string().optional(),
  channels: z.string().optional(),
  expires_at: z.string().optional(),
  prediction_market: z.boolean().default(false),
  engine_rates: z.boolean().default(false),
  ...protectionForm,
  ...accountForm,
} as const;
