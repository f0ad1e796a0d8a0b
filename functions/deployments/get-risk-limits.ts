import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment, unknownUser } from '../../shared/api/refusals.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findLastPrices } from '../../shared/data/candles/last-prices.ts';
import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { totalsIn } from '../../shared/data/users/risk-totals.ts';
import { asUser } from '../../shared/data/users/users.ts';
import { heldToMark } from '../../shared/domain/ledger/last-prices.ts';
import { presentRiskLimits, riskLimitsOut } from './records/risk-limits.ts';

export const getRiskLimits = defineOperation({
  method: 'GET',
  path: '/get_risk_limits',
  name: 'get_risk_limits',
  summary: 'Get risk limits and their use',
  description:
    'Limits of plan, user and deployment, and the strictest of each, which apply (`merged`). For a deployment, how much ' +
    'of each limit is used, with open positions at their newest prices, and the limit that stopped it. Without ' +
    '`deployment_id`, `merged` is what a new deployment with real orders begins with. `all` has the limits over all ' +
    'deployments with real orders, and their use.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description:
      'Reads the risk limits of a deployment, or of all real ones, and their use. The user changes them in the console.',
  },
  input: { query: z.object({ user_id: z.string(), deployment_id: integer().optional() }) },
  output: riskLimitsOut,
  errors: ['user_unknown', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    const own = [
      keys.user(userId),
      keys.riskTotals(userId),
      ...(id === undefined ? [] : [keys.deployment(id)]),
    ];
    const items = await call.store.getMany(own, { consistent: true });
    const user = asUser(itemWith(items, keys.user(userId)));
    if (!user) throw unknownUser();
    const totals = totalsIn(items, userId);
    if (id === undefined) return presentRiskLimits(user, undefined, { prices: new Map(), totals }, call.now);
    const deployment = asDeployment(itemWith(items, keys.deployment(id)));
    if (deployment?.kind !== 'live' || deployment.user_id !== userId) throw unknownDeployment();
    const held = heldToMark(unpackLedger(deployment.ledger));
    const prices = await findLastPrices(call.store, held, call.now);
    return presentRiskLimits(user, deployment, { prices, totals }, call.now);
  },
});
