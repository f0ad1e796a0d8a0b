import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Write } from '../data/table/writes.ts';
import {
  addressCheck,
  asEndpointState,
  type EndpointState,
  enablingWrite,
  trialEnd,
} from '../data/webhooks/endpoint-states.ts';
import {
  asEndpoints,
  endpointsKey,
  endpointsWrite,
  type WebhookEndpoint,
} from '../data/webhooks/endpoints.ts';
import type { Runtime } from '../runtime.ts';

/** Change of an endpoint in the list of its owner, with the writes that belong to it. */
interface Standing {
  readonly next: WebhookEndpoint;
  readonly writes: readonly Write[];
}

/** Changes an endpoint in the list of its owner. @param change returns undefined if there is nothing to change. */
const changeStanding = (
  { store }: Runtime,
  { owner, endpoint_id: id }: Pick<EndpointState, 'owner' | 'endpoint_id'>,
  change: (endpoint: WebhookEndpoint, state: EndpointState) => Standing | undefined,
): Promise<void> =>
  retryOnConflict(async () => {
    const [own, stateKey] = [endpointsKey(owner), keys.webhookEndpoint(id)];
    const items = await store.getMany([own, stateKey], { consistent: true });
    const held = asEndpoints(itemWith(items, own));
    const state = asEndpointState(itemWith(items, stateKey));
    const endpoint = held?.endpoints.find(({ endpoint_id }) => endpoint_id === id);
    const standing = endpoint && state && change(endpoint, state);
    if (!held || !standing) return;
    const endpoints = held.endpoints.map((one) => (one === endpoint ? standing.next : one));
    await store.transact([endpointsWrite(held, owner, endpoints), ...standing.writes]);
  });

/** Lets an endpoint get events, whose address has answered the challenge. No-op if it has another address by now. */
export const proveEndpoint = (runtime: Runtime, asked: EndpointState): Promise<void> =>
  changeStanding(runtime, asked, (endpoint, { endpoint_id: id, url, parked_at: parkedAt }) => {
    if (endpoint.proved || url !== asked.url) return undefined;
    const isPending = endpoint.status === 'pending';
    return {
      next: { ...endpoint, proved: true, status: isPending ? 'enabled' : endpoint.status },
      // Events of the former address may wait.
      writes: [
        isPending && parkedAt !== undefined ? enablingWrite(id, runtime.clock()) : addressCheck(id, url),
      ],
    };
  });

/** Sends later events of an endpoint by the lane of trials. */
export const beginTrial = (runtime: Runtime, asked: EndpointState): Promise<void> =>
  changeStanding(runtime, asked, (endpoint) =>
    endpoint.trial ? undefined : { next: { ...endpoint, trial: true }, writes: [] },
  );

/** Sends later events of an endpoint by the lane of endpoints that are fast. */
export const endTrial = (runtime: Runtime, asked: EndpointState): Promise<void> =>
  changeStanding(runtime, asked, ({ trial: _, ...endpoint }, { endpoint_id: id }) => ({
    next: endpoint,
    writes: [trialEnd(id)],
  }));
