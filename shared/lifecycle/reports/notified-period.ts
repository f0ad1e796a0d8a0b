import type { Deployment } from '../../data/deployments/deployments.ts';
import { eventDigestKey, isTakenEvent } from '../../data/deployments/event-digests.ts';
import type { InstrumentMemory } from '../../data/instruments/instrument-memory.ts';
import type { Store } from '../../data/table/store.ts';
import { calendarIdOf, UNKNOWN_CALENDAR } from '../../domain/candles/calendar.ts';
import { periodOfSignal } from '../../domain/deployments/signal-frequency.ts';
import type { Report } from './report.ts';

/** Bar or day in which a symbol's signals notify at most once. */
export interface NotifiedPeriod {
  /** Digest of the item that records its notification, kept like that of a report. */
  readonly digest: string;
  /** True if an earlier signal of it has notified. */
  readonly isTaken: boolean;
}

export type FindCalendarId = (symbol: string) => string | Promise<string>;

/** Finds calendars in the catalogue. */
export const catalogueCalendars =
  (store: Store, instruments: InstrumentMemory, now: Date): FindCalendarId =>
  async (symbol) => {
    const instrument = await instruments.find(store, symbol, now);
    return instrument ? calendarIdOf(instrument) : UNKNOWN_CALENDAR;
  };

/**
 * Reads the period of a signal; undefined if the deployment notifies of every signal. A record for each period, unlike the
 * time of the last notification, also counts signals right that arrive late.
 */
export const readNotifiedPeriod = async (
  store: Store,
  deployment: Deployment,
  report: Report,
  { findCalendarId, now }: { readonly findCalendarId: FindCalendarId; readonly now: Date },
): Promise<NotifiedPeriod | undefined> => {
  if (deployment.kind !== 'notification' || report.type !== 'Signal Raised') return undefined;
  const { symbol, occurred_at } = report.detail;
  if (deployment.frequency === 'every_signal' || !deployment.symbols.includes(symbol)) return undefined;
  const signal = { symbol, at: Date.parse(occurred_at) };
  const digest = periodOfSignal(deployment, await findCalendarId(symbol), signal);
  if (digest === undefined) return undefined;
  const [item] = await store.getMany([eventDigestKey(deployment.deployment_id, digest)], {
    consistent: true,
  });
  return { digest, isTaken: isTakenEvent(item, now) };
};
