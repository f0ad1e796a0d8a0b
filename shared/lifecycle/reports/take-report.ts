import type { BookMemory } from '../../data/books/book-memory.ts';
import { type Deployment, hasRealOrders, isHubRun, livesInBars } from '../../data/deployments/deployments.ts';
import { eventDigestKey } from '../../data/deployments/event-digests.ts';
import { InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import { itemWith } from '../../data/table/items.ts';
import { HUB_SOURCE } from '../../domain/deployments/event-source.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import type { Runtime } from '../../runtime.ts';
import { changeDeployment } from '../deployment-change.ts';
import type { Effect } from '../effect.ts';
import { applyStatusReport, digestOf } from './apply-status.ts';
import { extraReadsOf } from './apply-to-books.ts';
import { withPossiblePrices } from './check-prices.ts';
import { decideBooksReport } from './decide-books-report.ts';
import { catalogueCalendars, readNotifiedPeriod } from './notified-period.ts';
import { parseEvent } from './parse-event.ts';
import { protectedEntryKeys, protectiveFacts, withFill } from './real-fills.ts';
import { isBooksReport, type Report } from './report.ts';
import type { ValueOrder } from './value-order.ts';

/** Tolerance for an engine's clock that is ahead. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * @throws MalformedEventError where the hub runs the deployment, or another engine reported on it first. The adapter that
 *   executes its orders may report on these.
 */
const requireSource = (deployment: Deployment, { source, type }: Report): void => {
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

/** Binds the deployment to the engine that reported first. Reports of the hub do not bind it. */
const boundTo = (source: string, deployment: Deployment): Deployment =>
  deployment.source !== undefined || source === HUB_SOURCE || isHubRun(deployment)
    ? deployment
    : { ...deployment, source };

const unknown = (): MalformedEventError => new MalformedEventError('there is no such deployment');

/** Holds memories that save reads, and the valuing that only reports from outside need. */
export interface Means {
  /** Books that this container wrote last. */
  readonly memory?: BookMemory | undefined;
  /** Instruments of the catalogue that this container has read. */
  readonly instruments?: InstrumentMemory | undefined;
  /** Values orders in other currencies; absent for reports of the hub. */
  readonly valueOrder?: ValueOrder | undefined;
}

/**
 * Takes a report on a deployment exactly once, however often it arrives.
 *
 * @throws MalformedEventError for one that no retry makes good.
 */
export const takeReport = async (
  runtime: Runtime,
  report: Report,
  { memory, instruments = new InstrumentMemory(), valueOrder }: Means = {},
): Promise<void> => {
  const {
    source,
    detail: { deployment_id: id, occurred_at },
  } = report;
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
  if (isBooksReport(report)) {
    const entryKeys = protectedEntryKeys(report);
    await changeDeployment(
      runtime,
      id,
      async (deployment, now, items, recalled) => {
        if (!deployment) throw unknown();
        requireSource(deployment, report);
        const effect = await decideBooksReport(runtime, deployment, report, {
          now,
          items,
          recalled,
          instruments,
          valueOrder,
          ...(hasRealOrders(deployment) && protectiveFacts(report)),
        });
        return bound(withFill(deployment, report, effect, items));
      },
      [...extraReadsOf(report), ...entryKeys],
      // Books in memory have no other orders.
      entryKeys.length > 0 ? undefined : memory,
    );
    return;
  }
  const digest = digestOf(report);
  const taken = eventDigestKey(id, digest);
  await changeDeployment(
    runtime,
    id,
    async (deployment, now, items) => {
      if (!deployment) throw unknown();
      requireSource(deployment, report);
      await withPossiblePrices(runtime.store, report, { instruments, now });
      const findCalendarId = catalogueCalendars(runtime.store, instruments, now);
      const period = await readNotifiedPeriod(runtime.store, deployment, report, { findCalendarId, now });
      return bound(
        applyStatusReport(deployment, report, { digest, item: itemWith(items, taken), period, now }),
      );
    },
    [taken],
  );
};

/**
 * Takes the report of an event of the bus.
 *
 * @throws NewerEventError for one that only a newer version understands.
 * @throws MalformedEventError for one that no retry makes good.
 */
export const takeEvent = async (runtime: Runtime, raw: unknown, means?: Means): Promise<void> =>
  takeReport(runtime, parseEvent(raw), means);
