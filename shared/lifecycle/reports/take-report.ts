import type { BookMemory } from '../../data/books/book-memory.ts';
import { type Deployment, hasRealOrders, isHubRun, livesInBars } from '../../data/deployments/deployments.ts';
import { eventDigestKey } from '../../data/deployments/event-digests.ts';
import { InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import { itemWith } from '../../data/table/items.ts';
import { HUB_SOURCE } from '../../domain/deployments/event-source.ts';
import type { Runtime } from '../../runtime.ts';
import { changeDeployment, type Effect } from '../deployment-change.ts';
import { applyEvent, digestOf } from './apply-status.ts';
import { extraReadsOf } from './apply-to-books.ts';
import { withPossiblePrices } from './check-prices.ts';
import { decideLedgerEvent } from './decide-books-report.ts';
import { catalogueCalendars, readNotifiedPeriod } from './notified-period.ts';
import { withFill } from './real-fills.ts';
import { type ExecutionEvent, isLedgerEvent, MalformedEventError, parseEvent } from './report.ts';
import type { ValueOrder } from './value-order.ts';

/** Tolerance for an engine's clock that is ahead. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * @throws MalformedEventError where the hub runs the deployment, or another engine reported on it first. The adapter that
 *   executes its orders may report on these.
 */
const requireSource = (deployment: Deployment, { source, 'detail-type': type }: ExecutionEvent): void => {
  const { source: first } = deployment;
  if (source === HUB_SOURCE) return;
  if (isHubRun(deployment)) {
    const isAdapter =
      deployment.kind === 'live' && hasRealOrders(deployment) && deployment.execution?.source === source;
    if (isAdapter && (type === 'Order Updated' || type === 'Swap Charged')) return;
    throw new MalformedEventError('the hub runs the deployment and takes no reports on it');
  }
  if (first !== undefined && first !== source) {
    throw new MalformedEventError(`the deployment takes events of the source ${first}, not of ${source}`);
  }
};

/** Binds the deployment to the engine that reported first. Events of the hub do not bind it. */
const boundTo = (source: string, deployment: Deployment): Deployment =>
  deployment.source !== undefined || source === HUB_SOURCE || isHubRun(deployment)
    ? deployment
    : { ...deployment, source };

const unknown = (): MalformedEventError => new MalformedEventError('there is no such deployment');

/**
 * Takes an event of an execution engine exactly once, however often it arrives.
 *
 * @param memory of this container, which saves reads.
 * @param instruments of the catalogue, remembered by this container.
 * @param valueOrder values orders in other currencies; absent for events of the hub.
 * @throws MalformedEventError for one that no retry makes good.
 */
export const takeEvent = async (
  runtime: Runtime,
  raw: unknown,
  memory?: BookMemory,
  instruments: InstrumentMemory = new InstrumentMemory(),
  valueOrder?: ValueOrder,
): Promise<void> => {
  const event = parseEvent(raw);
  const {
    source,
    detail: { deployment_id: id, occurred_at },
  } = event;
  const isHub = source === HUB_SOURCE;
  const bound = (effect: Effect | undefined): Effect | undefined =>
    effect && {
      ...effect,
      deployment: boundTo(source, effect.deployment),
      ...(livesInBars(effect.deployment) && { at: new Date(occurred_at) }),
    };
  // The hub reports in the time of bars.
  if (!isHub && Date.parse(occurred_at) > runtime.clock().getTime() + MAX_AHEAD_MS) {
    throw new MalformedEventError('detail.occurred_at: lies in the future');
  }
  if (isLedgerEvent(event)) {
    await changeDeployment(
      runtime,
      id,
      async (deployment, now, items, recalled) => {
        if (!deployment) throw unknown();
        requireSource(deployment, event);
        const effect = await decideLedgerEvent(runtime, deployment, event, {
          now,
          items,
          recalled,
          instruments,
          valueOrder,
        });
        return bound(withFill(deployment, event, effect));
      },
      extraReadsOf(event),
      memory,
    );
    return;
  }
  const digest = digestOf(event);
  const taken = eventDigestKey(id, digest);
  await changeDeployment(
    runtime,
    id,
    async (deployment, now, items) => {
      if (!deployment) throw unknown();
      requireSource(deployment, event);
      await withPossiblePrices(runtime.store, event, { instruments, now });
      const findCalendarId = catalogueCalendars(runtime.store, instruments, now);
      const period = await readNotifiedPeriod(runtime.store, deployment, event, { findCalendarId, now });
      return bound(applyEvent(deployment, event, { digest, item: itemWith(items, taken), period, now }));
    },
    [taken],
  );
};
