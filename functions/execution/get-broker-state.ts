import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import { summaryOf, type TradingSummary } from '../../shared/data/books/summary.ts';
import { asDeployment, hasRealOrders, isHubRun } from '../../shared/data/deployments/deployments.ts';
import { findProtections } from '../../shared/data/execution/protections.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { brokerStateOut, type DeploymentState, presentPositions } from './records/broker-state.ts';
import { requireOwner } from './require-owner.ts';

/** Deployments whose protections one answer reads, each in a Query. */
const MAX_DEPLOYMENTS = 25;

/** Reads one deployment of a user with real orders. @throws HubError deployment_unknown */
const readOne = async (store: Store, userId: string, id: number): Promise<DeploymentState> => {
  const key = keys.deployment(id);
  const [items, protections] = await Promise.all([
    store.getMany([key], { consistent: true }),
    findProtections(store, id),
  ]);
  const deployment = asDeployment(itemWith(items, key));
  if (deployment?.user_id !== userId || !hasRealOrders(deployment)) throw unknownDeployment();
  const summary = summaryOf(deployment, unpackLedger(deployment.ledger));
  return { summary, protections, missing: deployment.missing ?? [] };
};

const isReal = ({ mode, positions, ...summary }: TradingSummary): boolean =>
  mode === 'live' && isHubRun(summary) && positions.length > 0;

export const getBrokerState = defineOperation({
  method: 'GET',
  path: '/get_broker_state',
  name: 'get_broker_state',
  summary: 'Tell what stands at the broker now',
  description:
    'Lists the open positions of a user’s deployments with real orders, of one of them or on one account, with the stops and targets that rest at the broker, the time of the last comparison and what differed. It answers what the hub knows: it compares with the broker at least each minute while a position is open, so this asks the broker nothing. At most 25 deployments with open positions, the newest. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  scope: 'read',
  input: {
    query: z.object({
      user_id: z.string(),
      deployment_id: integer().optional(),
      account_id: z.string().max(64).optional(),
    }),
  },
  output: brokerStateOut,
  errors: ['session_required', 'platform_token_insufficient', 'user_unknown', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id, account_id: account } }, call) => {
    requireOwner(call);
    const { store } = call;
    const as_of = call.now.toISOString();
    if (id !== undefined) {
      const [, state] = await Promise.all([call.user(), readOne(store, userId, id)]);
      const isOn = account === undefined || state.summary.account_id === account;
      return { as_of, is_complete: true, positions: isOn ? presentPositions(state) : [] };
    }
    const [, running] = await Promise.all([call.user(), findRunning(store, userId)]);
    const own = running.filter(
      (summary) => isReal(summary) && (account === undefined || summary.account_id === account),
    );
    const shown = own.slice(0, MAX_DEPLOYMENTS);
    const states = await Promise.all(shown.map(({ deployment_id }) => readOne(store, userId, deployment_id)));
    return {
      as_of,
      is_complete: own.length === shown.length,
      positions: states.flatMap(presentPositions),
    };
  },
});
