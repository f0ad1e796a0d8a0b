import type { StrategyRulesOut, TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../../hub.ts';

/** Trades of a page. */
export const TRADES_SIZE = 10;
/** Records of the author among which those of a withdrawn strategy are found. */
const MOST_RECORDS = 100;

type Shown = Pick<StrategyRulesOut, 'strategy_id' | 'is_own' | 'author' | 'performance'>;

/** Finds the newest record of a strategy that is not public any more: its figures do not name it. */
const findHidden = async (
  { strategy_id, author }: Shown,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { items } = await hub.getAuthorRecords({ user_key: author.user_key, size: MOST_RECORDS }, { signal });
  return items.find((record) => record.strategy_id === strategy_id)?.record_id;
};

/** Loads the track record of a strategy, or an earlier one; null without any. */
export const loadRecord = async (
  strategy: Shown,
  chosen: number | undefined,
  signal: AbortSignal,
): Promise<TrackRecordOut | null> => {
  const isShown = strategy.performance.source === 'record';
  if (!isShown && !strategy.is_own) return null;
  const id = chosen ?? (isShown ? undefined : await findHidden(strategy, signal));
  if (id === undefined && !isShown) return null;
  return hub.getTrackRecord(
    {
      user_id: ME,
      strategy_id: strategy.strategy_id,
      ...(id !== undefined && { record_id: id }),
      trades_size: TRADES_SIZE,
    },
    { signal },
  );
};

/** Loads the whole export of a record: its lines, each an object as JSON. */
export const loadExport = async ({
  strategy_id,
  record_id,
}: Pick<TrackRecordOut, 'strategy_id' | 'record_id'>): Promise<string> => {
  const lines: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part = await hub.exportTrackRecord({
      user_id: ME,
      strategy_id,
      record_id,
      ...(cursor !== undefined && { cursor }),
    });
    lines.push(...part.lines);
    cursor = part.next;
  }
  return `${lines.join('\n')}\n`;
};
