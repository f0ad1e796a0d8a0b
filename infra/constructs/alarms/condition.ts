import type { AlarmProps, IMetric } from 'aws-cdk-lib/aws-cloudwatch';

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

export type Conditions = Readonly<Record<string, Condition>>;
