import type { StrategyRulesOut } from '../../../../../../infra/client/package/src/index.ts';
import { LatePart } from '../../../ui/late.tsx';

/** Loads the record with its chart after the rest of the screen. */
const loadTrackRecord = async () => (await import('./track-record.tsx')).TrackRecord;

/** Track record of a strategy, or why there is none. */
export const RecordSection = ({ strategy }: { readonly strategy: StrategyRulesOut }) => (
  <LatePart load={loadTrackRecord} props={{ strategy }} />
);
