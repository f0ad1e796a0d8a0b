import type { Runtime } from '../../shared/runtime.ts';
import type { Capability } from '../../shared/settings.ts';

/** Result of a run of a job. */
export interface JobReport {
  readonly done: number;
  /** True if work is left for the next run. */
  readonly more: boolean;
  /** Totals of the round, for a job that works in rounds. */
  readonly round?: {
    readonly name: string | undefined;
    readonly started_at: string | undefined;
    readonly finished_at: string | undefined;
    readonly done: number;
    readonly counts: Readonly<Record<string, number>>;
  };
}

/** Context of a run. */
export interface Run {
  /** Tells whether there is time for another batch of a few seconds. */
  readonly hasTime: () => boolean;
  /** True if a person requested the run, which then does not wait for its schedule. */
  readonly byHand: boolean;
}

/** Job that runs on a schedule. Running it twice, or two at once, does no harm. */
export interface Job {
  readonly name: string;
  readonly summary: string;
  /** EventBridge Scheduler's expression. */
  readonly expression: string;
  readonly timeZone: string;
  readonly uses: readonly Capability[];
  readonly run: (runtime: Runtime, run: Run) => Promise<JobReport>;
}
