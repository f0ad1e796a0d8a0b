import type { Series } from '../../../shared/data/candles/series.ts';
import type { CommonRuntime } from '../../../shared/runtime.ts';

/** Returns whether the operator trusts the source of a series for track records. */
export const isReference = (
  { capability }: Pick<CommonRuntime, 'capability'>,
  { source }: Pick<Series, 'source'>,
): boolean =>
  capability('references').HUB_REFERENCE_SOURCES.some((listed) =>
    listed.endsWith('*') ? source.startsWith(listed.slice(0, -1)) : source === listed,
  );
