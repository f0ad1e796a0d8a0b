import { activeDeploymentWrite } from '../../shared/data/books/active-deployments.ts';
import {
  asDeployment,
  deploymentEntry,
  deploymentList,
  newDeploymentWrite,
} from '../../shared/data/deployments/deployments.ts';
import { entryKey } from '../../shared/data/numbered-list/numbered-list.ts';
import type { SwitchSubject } from '../../shared/data/switches/switch-changes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { takeUpHalt } from '../../shared/lifecycle/halt-deployments.ts';
import { throwSwitch } from '../../shared/lifecycle/throw-switch.ts';
import { startHub } from '../support/hub.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { deployedTrader } from '../support/trading.ts';

/** Measures how fast a thrown kill switch halts deployments: of a user with 500, and of a service with 10,000. */

const PER_USER = 500;
const USERS = 20;

const hub = await startHub();
await furnishWithInstruments(hub);
const { store } = hub.runtime;

/** Creates a user with 500 deployments that trade on paper. */
const crowded = async (): Promise<string> => {
  const { user_id, id } = await deployedTrader(hub);
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (!deployment) throw new Error('the deployment is missing');
  const list = deploymentList('all', user_id);
  let writes: Write[] = [];
  for (let n = 1; n < PER_USER; n++) {
    const one = { ...deployment, deployment_id: id + n * 7 };
    const entry = { ...deploymentEntry(one), ...entryKey(list, n) };
    writes.push(newDeploymentWrite(one), activeDeploymentWrite(one), { put: entry });
    if (writes.length === 99 || n === PER_USER - 1) {
      await store.transact(writes);
      writes = [];
    }
  }
  hub.advance(60_000);
  return user_id;
};

const measure = async (name: string, subject: SwitchSubject): Promise<void> => {
  const began = performance.now();
  const command = { subject, actor: { by: 'operator' }, reason: 'a drill', flatten: false } as const;
  const id = await throwSwitch(hub.runtime, command);
  const thrown = performance.now();
  const { halted } = await takeUpHalt(hub.runtime, id, () => true);
  const ms = Math.round(performance.now() - thrown);
  console.log(
    `${name}: thrown in ${Math.round(thrown - began)} ms, ${halted} deployments halted in ${ms} ms`,
  );
};

const [first = ''] = [await crowded()];
await measure('a user', { level: 'user', user_id: first });
for (let n = 0; n < USERS; n++) await crowded();
await measure('the service', { level: 'service' });
await hub.close();
