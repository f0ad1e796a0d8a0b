import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { externalEngine, invalidValue, unknownDeployment } from '../../shared/api/refusals.ts';
import { asDeployment, isHubRun, takesSignals } from '../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { budgetKeys, knownBudgets } from './charging/known-budgets.ts';
import { withCharge } from './charging/with-work.ts';
import { compareDeployment, MAX_ORDERS } from './parity/parity.ts';
import { readDeployment } from './parity/read-deployment.ts';
import { parityOut } from './records/parity.ts';

const tooMany = (limit: number) =>
  invalidValue(
    ['query', 'deployment_id'],
    `ensure the deployment has at most ${limit} orders`,
    'value_error.deployment',
    { limit_value: limit },
  );

export const getParity = defineOperation({
  method: 'GET',
  path: '/get_parity',
  name: 'get_parity',
  summary: 'Compare a deployment with its backtest',
  description:
    'Backtests the rules and the account of a paper deployment that the hub runs, over the bars that it has seen and with ' +
    'its manual closes and commands (pauses, halts, stops), and lists what differs in the order book, in the closed trades of the books and in the engine’s account: nothing, as expected. ' +
    'For a deployment with real orders the backtest is of the rules alone. Each fill is matched with the backtest’s or is missing or extra, and `attribution` divides the difference in money: result − backtest’s result = slippage + fees + delay + missing + extra. ' +
    'A deployment that has lived through a split of a symbol has no such backtest: 409. ' +
    'Symbols whose bars are too many for one answer are left out; ask for them by `symbol`. The comparison counts as work of the day.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: {
    description: 'Compares a deployment on paper with a backtest of the same span, trade by trade.',
  },
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer(), symbol: z.string().optional() }),
  },
  output: parityOut,
  errors: [
    'deployment_unknown',
    'engine_external',
    'state_conflict',
    'user_unknown',
    'work_exhausted',
    'quota_reached',
  ],
  table: 'write',
  rateClass: 'work',
  handler: async ({ query: { user_id: userId, deployment_id: id, symbol } }, call) => {
    // The rest of a deployment can be megabytes: a stranger's question must not read it.
    const known = await call.store.getMany([keys.deployment(id), ...(await budgetKeys(call, userId))], {
      consistent: true,
    });
    if (asDeployment(itemWith(known, keys.deployment(id)))?.user_id !== userId) throw unknownDeployment();
    const { items, recorded, usedOf } = await readDeployment(call.store, id);
    const deployment = asDeployment(items.deployment);
    if (deployment?.kind !== 'live') throw unknownDeployment();
    const setup = asDeploymentSetup(items.setup);
    if (!isHubRun(deployment) || !setup) throw externalEngine();
    if (takesSignals(deployment)) throw externalEngine();
    const { starts } = setup;
    if (!starts) throw new HubError('state_conflict', 'The deployment has not started yet.');
    if (deployment.orders_count > MAX_ORDERS) throw tooMany(MAX_ORDERS);
    const budgets = await knownBudgets(call, userId, known);
    const shown = await compareDeployment(
      call.store,
      { deployment, setup, starts, recorded, usedOf },
      {
        symbol,
        charge: async (work, value) =>
          withCharge(call, budgets, work, async () => ({ value: value(), ran: work })),
      },
    );
    if (shown) return shown;
    throw invalidValue(['query', 'symbol'], 'the deployment does not have this symbol', 'value_error.symbol');
  },
});
