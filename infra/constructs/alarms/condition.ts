import type { AlarmProps, IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { HubConfig } from '../../stage.ts';

/** Condition of an alarm. */
export interface Condition {
  readonly metric: IMetric;
  /** Description for the operator. */
  readonly about: string;
  /** Heading of the runbook that says what to do, as an anchor. */
  readonly runbook: string;
  /** Threshold; by default 1. */
  readonly atLeast?: number;
  /** Number of evaluated periods; by default 1. */
  readonly periods?: number;
  /** Number of those periods that must be over the threshold; by default all. */
  readonly breaching?: number;
  /** True if the alarm tells of single events: then its end tells nothing. */
  readonly momentary?: boolean;
  readonly more?: Pick<AlarmProps, 'comparisonOperator' | 'treatMissingData'>;
}

/** Returns the description of an alarm with the page that says what to do. */
export const describeAlarm = (
  { alarms }: Pick<HubConfig, 'alarms'>,
  { about, runbook }: Pick<Condition, 'about' | 'runbook'>,
): string => `${about} Runbook: ${alarms.pages ?? ''}infra/RUNBOOK.md#${runbook}`;

export type Conditions = Readonly<Record<string, Condition>>;
