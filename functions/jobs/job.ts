import type { Runtime } from '../../shared/runtime.ts';
import type { Capability } from '../../shared/settings.ts';

/** How a run of a job ended. */
export interface JobReport {
  readonly done: number;
  /** Whether there was more than one run may do: the next one goes on. */
  readonly more: boolean;
  /** What the round that the run belongs to has come to, where the job works in rounds. */
  readonly round?: {
    readonly name: string | undefined;
    readonly started_at: string | undefined;
    readonly finished_at: string | undefined;
    readonly done: number;
    readonly counts: Readonly<Record<string, number>>;
  };
}

/** What a run is told of itself. */
export interface Run {
  /** Whether there is time for another batch: some seconds, at most, of work. */
  readonly hasTime: () => boolean;
  /** Whether a person asked for it, who means now. */
  readonly byHand: boolean;
}

/** A job that runs on a schedule; running it twice, or two at once, does no harm. */
export interface Job {
  readonly name: string;
  readonly summary: string;
  /** EventBridge Scheduler's expression. */
  readonly expression: string;
  readonly timeZone: string;
  readonly uses: readonly Capability[];
  readonly run: (runtime: Runtime, run: Run) => Promise<JobReport>;
}
