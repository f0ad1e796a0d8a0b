import type { Runtime } from '../../shared/runtime.ts';
import type { Capability } from '../../shared/settings.ts';

/** How a run of a job ended. */
export interface JobReport {
  readonly done: number;
  /** Whether there was more than one run may do: the next one goes on. */
  readonly more: boolean;
}

/** A job that runs on a schedule; running it twice does no harm. */
export interface Job {
  readonly name: string;
  readonly summary: string;
  /** EventBridge Scheduler's expression. */
  readonly expression: string;
  readonly timeZone: string;
  readonly uses: readonly Capability[];
  readonly run: (runtime: Runtime) => Promise<JobReport>;
}
