import { format } from '../format.ts';

interface Work {
  readonly status: string;
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
}

/** Progress of a backtest or sweep that waits or runs. */
export const Progress = ({ of: { status, progress } }: { readonly of: Work }) => (
  <section class="card" aria-live="polite">
    <p>
      {status === 'queued' ? 'Waiting for its turn. ' : 'Running. '}
      {format.percent(progress * 100, { digits: 0 })} done. This page shows the result by itself; you can
      leave it meanwhile.
    </p>
    <progress value={progress} max={1} aria-label="Part that is done" />
  </section>
);
