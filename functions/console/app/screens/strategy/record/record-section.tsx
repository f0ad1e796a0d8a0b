import type { StrategyRulesOut } from '../../../../../../infra/client/package/src/index.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { useResource } from '../../../ui/use-resource.ts';

/** Loads the record with its chart after the rest of the screen. */
const loadTrackRecord = async () => (await import('./track-record.tsx')).TrackRecord;

/** Track record of a strategy, or why there is none. */
export const RecordSection = ({ strategy }: { readonly strategy: StrategyRulesOut }) => {
  const part = useResource(loadTrackRecord, []);
  return <Loaded of={part}>{(TrackRecord) => <TrackRecord strategy={strategy} />}</Loaded>;
};
