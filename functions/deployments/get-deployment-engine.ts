import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { externalEngine, invalidValue, unknownDeployment } from '../../shared/api/refusals.ts';
import { asDeployment, isHubRun } from '../../shared/data/deployments/deployments.ts';
import { asScanned } from '../../shared/data/engine/scanners.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { viewDeployment } from './engine/engine-view.ts';
import { deploymentEngineOut } from './records/deployment-engine.ts';

export const getDeploymentEngine = defineOperation({
  method: 'GET',
  path: '/get_deployment_engine',
  name: 'get_deployment_engine',
  summary: 'Explain what a deployment waits for',
  description:
    'For a deployment that the hub runs, of any kind: what each symbol waits for, its last bar and the delay of its data, ' +
    'the conditions of the rules with their values at the last bar, orders and trades of the account with stops and ' +
    'targets, the last decisions with their reasons, errors. A scanner shows the instruments that it watches; with ' +
    '`symbol`, it explains that instrument.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description:
      'Explains the decisions of a deployment at its last bar: values of operands, and the conditions that hold.',
  },
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer(), symbol: z.string().optional() }),
  },
  output: deploymentEngineOut,
  errors: ['deployment_unknown', 'engine_external'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id, symbol } }, call) => {
    const own = {
      deployment: keys.deployment(id),
      setup: keys.deploymentSetup(id),
      scanned: keys.scannedInstruments(id),
    };
    const items = await call.store.getMany(Object.values(own), { consistent: true });
    const deployment = asDeployment(itemWith(items, own.deployment));
    if (deployment?.user_id !== userId) throw unknownDeployment();
    const setup = asDeploymentSetup(itemWith(items, own.setup));
    if (!isHubRun(deployment) || !setup) throw externalEngine();
    const scanned = asScanned(itemWith(items, own.scanned));
    const shown = await viewDeployment(call, { deployment, setup, scanned }, symbol);
    if (shown) return shown;
    throw invalidValue(['query', 'symbol'], 'the deployment does not have this symbol', 'value_error.symbol');
  },
});
