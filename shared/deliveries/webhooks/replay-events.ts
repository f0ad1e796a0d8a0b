import { asLogHead, beforeTime, brokerLogs, readRanges } from '../../data/changes/change-log.ts';
import { userLog } from '../../data/changes/listeners.ts';
import type { OnDamaged } from '../../data/table/damaged-items.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { TransactionRefusedError } from '../../data/table/store.ts';
import { replayWrite } from '../../data/webhooks/endpoint-health.ts';
import type { EndpointState } from '../../data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsKey, type WebhookOwner } from '../../data/webhooks/endpoints.ts';
import { bodyOf, parkedDeliveryWrite } from '../../data/webhooks/new-deliveries.ts';
import { takesEvent } from '../../data/webhooks/webhook-writes.ts';
import type { Runtime } from '../../runtime.ts';

/** Entries of the log that are looked at together. */
const PAGE = 50;

const logsOf = (owner: WebhookOwner): string[] =>
  'user_id' in owner ? [userLog(owner.user_id)] : brokerLogs(owner.broker_id);

/**
 * Parks the next events of a replay, with its progress, in one transaction. Passes by damaged ones.
 *
 * @param onDamaged takes the errors of damaged events.
 * @returns the endpoint with the progress; undefined if nothing can be done now.
 */
export const replaySome = async (
  { store, clock, random }: Runtime,
  state: EndpointState,
  onDamaged: OnDamaged,
): Promise<EndpointState | undefined> => {
  const { replay, owner, endpoint_id: endpointId } = state;
  if (!replay) return undefined;
  const now = clock();
  const log = logsOf(owner)[replay.log];
  const headKey = log === undefined ? undefined : keys.changeLog(log);
  const items = await store.getMany([endpointsKey(owner), ...(headKey ? [headKey] : [])], {
    consistent: true,
  });
  const held = asEndpoints(itemWith(items, endpointsKey(owner)));
  const endpoint = held?.endpoints.find(({ endpoint_id: id }) => id === endpointId);
  const advance = async (
    next: EndpointState['replay'],
    writes: Parameters<typeof store.transact>[0] = [],
  ): Promise<EndpointState | undefined> => {
    try {
      await store.transact([replayWrite(state, next), ...writes]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) return undefined;
      throw error;
    }
    return { ...state, replay: next };
  };
  if (log === undefined || !headKey || !endpoint) return advance(undefined);
  const head = asLogHead(itemWith(items, headKey));
  const last = head?.position ?? 0;
  const after = replay.after ?? beforeTime(head, replay.since, now);
  const range = { log, head, after, upTo: Math.min(last, after + PAGE) };
  const [read] = await readRanges(store, [range], now, onDamaged);
  const upTo = read?.upTo ?? after;
  const isAtEnd = upTo >= last;
  // Entries of the last moments may not be visible yet.
  if (upTo === after && !isAtEnd) return undefined;
  const events = (read?.events ?? []).flatMap(({ event }) => {
    const at = Date.parse(event.at);
    return at >= replay.since && at <= replay.until && takesEvent(endpoint, event) ? [event] : [];
  });
  return advance(
    isAtEnd ? { ...replay, log: replay.log + 1, after: undefined } : { ...replay, after: upTo },
    events.map((event) =>
      parkedDeliveryWrite(
        { endpointId, owner, eventId: event.id, eventType: event.type, body: bodyOf(event) },
        { now, random },
      ),
    ),
  );
};
