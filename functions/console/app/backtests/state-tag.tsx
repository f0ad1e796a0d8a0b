import { format } from '../format.ts';
import { Tag } from '../ui/notice.tsx';

interface Work {
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
}

const KINDS = { queued: 'info', running: 'info', done: 'good', failed: 'bad' } as const;
const WORDS = { queued: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed' } as const;

/** State of a backtest or sweep. */
export const StateTag = ({ of: { status, progress } }: { readonly of: Work }) => (
  <Tag kind={KINDS[status]}>
    {WORDS[status]}
    {status === 'running' && ` ${format.percent(progress * 100, { digits: 0 })}`}
  </Tag>
);
