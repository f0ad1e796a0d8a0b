import type { Series, SeriesFacts } from '../../shared/data/candles/series.ts';
import { areInUse } from '../../shared/data/engine/series-in-use.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { anchorOf, anchorText } from '../../shared/domain/candles/anchor.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { sessionCalendarOf } from '../../shared/domain/candles/session-calendar.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import type { DeclaredAnchor } from './bar-events.ts';

const declaredText = ({ anchor, opening }: DeclaredAnchor): string =>
  opening === undefined ? anchor : `${anchor} (${opening})`;

/** @throws MalformedEventError if a feed declares another anchor than that of the stored bars. */
export const requireAnchor = (series: Series | undefined, declared: DeclaredAnchor | undefined): void => {
  if (!series || !declared) return;
  const { anchor, opening } = anchorOf(series.calendar);
  if (declared.anchor === anchor && (declared.opening ?? opening) === opening) return;
  throw new MalformedEventError(
    `the series ${series.symbol} ${series.timeframe} has the anchor ${anchorText(series.calendar)}, and the event declares ${declaredText(declared)}`,
  );
};

/**
 * Returns the facts of a series that begins with bars of a declared anchor.
 *
 * @throws MalformedEventError for an anchor that the bars cannot have, and if programs wait for bars of another one.
 */
export const anchoredFacts = async (
  store: Store,
  facts: SeriesFacts,
  declared: DeclaredAnchor | undefined,
): Promise<SeriesFacts> => {
  if (declared?.anchor !== 'session') return facts;
  const calendar = sessionCalendarOf(calendarById(facts.calendar), facts.timeframe, declared.opening);
  if (typeof calendar === 'string') throw new MalformedEventError(`detail.anchor: ${calendar}`);
  const [isAwaited = false] = await areInUse(store, [facts]);
  if (!isAwaited) return { ...facts, calendar: calendar.id };
  throw new MalformedEventError(
    `deployments wait for bars of ${facts.symbol} ${facts.timeframe} that start with the clock: end them before the first bar of another anchor`,
  );
};
