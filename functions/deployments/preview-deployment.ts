import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { unknownStrategy } from '../../shared/api/refusals.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import { asStrategy } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { parseItem } from '../../shared/data/table/parse-item.ts';
import { instrumentSchema } from '../../shared/domain/instruments/instrument-records.ts';
import { findUse, useText } from './accounts/account-use.ts';
import { parseCurrency } from './accounts/currencies.ts';
import { connectionKeys, executionOf } from './accounts/execution-account.ts';
import { protectionPlan } from './accounts/protection-plan.ts';
import { accountForm, readAccount } from './forms/account-form.ts';
import { chosenSymbols } from './forms/choices.ts';
import { protectionChoices, protectionForm } from './forms/protection-form.ts';
import { deploymentPreviewOut, presentPreview } from './records/deployment-preview.ts';
import { setupKeys } from './starting/hub-run.ts';
import { realRunOf } from './starting/real-run.ts';

/** Any amount: the protection does not depend on it. */
const CAPITAL = '1000';

export const previewDeployment = defineOperation({
  method: 'GET',
  path: '/preview_deployment',
  name: 'preview_deployment',
  summary: 'Tell what will protect a deployment with real orders',
  description:
    'For a strategy and a connected account: which stops and targets will rest at the broker, from when on and at which hours, what the hub has to watch, and what keeps the strategy from being deployed there. Deploys nothing. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  scope: 'read',
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      account_id: z.string().max(64),
      symbols: z.string().optional(),
      currency: z.string().default('USD'),
      size_step: accountForm.size_step,
      ...protectionForm,
    }),
  },
  output: deploymentPreviewOut,
  errors: [
    'session_required',
    'platform_token_insufficient',
    'user_unknown',
    'strategy_unknown',
    'strategy_unsuitable',
    'broker_unconnected',
  ],
  table: 'read',
  handler: async ({ query }, call) => {
    requireOwnSession(call, 'A preview requires the session of the user. Sign in.', 'previews nothing');
    const { user_id: userId, strategy_id: id, account_id: accountId, size_step } = query;
    const [, found] = await Promise.all([
      call.user(),
      call.store.getMany([keys.strategy(id), ...connectionKeys(userId, accountId)], { consistent: true }),
    ]);
    const strategy = asStrategy(itemWith(found, keys.strategy(id)));
    if (strategy?.user_id !== userId) throw unknownStrategy();
    const symbols = chosenSymbols('symbols', query.symbols, strategy.symbols, 'query');
    const choice = { symbols, timeframe: strategy.timeframe, field: 'symbols' as const };
    const items = [
      ...found,
      ...(await call.store.getMany(setupKeys(strategy, choice), { consistent: true })),
    ];
    const instruments = symbols.flatMap((symbol) => {
      const item = itemWith(items, keys.instrument(symbol));
      return item ? [parseItem(instrumentSchema, item)] : [];
    });
    const { connection } = executionOf(
      items,
      { userId, accountId },
      parseCurrency(query.currency),
      instruments,
    );
    const choices = protectionChoices(query);
    const account = readAccount({ size_step }, CAPITAL);
    const { setup } = realRunOf(strategy, choice, { items, account, call }, choices);
    const use = findUse(await findRunning(call.store, userId), accountId, symbols);
    return presentPreview(protectionPlan(connection.adapter, setup, choices), use && useText(use));
  },
});
