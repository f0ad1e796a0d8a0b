import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { CHECKS_PASSED } from '../../../functions/jobs/canary/check-service.ts';
import { PERIOD, type Watched } from '../hub-metrics.ts';
import type { Condition, Conditions } from './condition.ts';

/** Returns a metric of runs in which all checks from outside passed. */
export const checksPassed = ({ stage }: { readonly stage: string }, operation: string): Metric =>
  new Metric({
    namespace: 'StrategyHub',
    metricName: CHECKS_PASSED,
    dimensionsMap: { operation, service: `strategy-hub-${stage}` },
    statistic: 'Sum',
    period: PERIOD,
  });

/** Rings if no run passes in two periods, also if none ran. */
const missing = (metric: Metric, about: string): Condition => ({
  metric,
  about,
  runbook: 'service-checks-fail',
  periods: 2,
  more: {
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  },
});

/** Returns the alarms of the checks from outside. */
export const canaryConditions = ({ config }: Watched): Conditions => ({
  ...(config.canary && {
    'service checks fail': missing(
      checksPassed(config, 'check-service'),
      'For ten minutes the service could not be used from outside, or nothing tried: health, console, sign-in, a read.',
    ),
  }),
  ...(config.canary?.symbol !== undefined && {
    'backtest checks fail': missing(
      checksPassed(config, 'check-backtest').with({ period: Duration.hours(1) }),
      'For two hours no backtest of the probe user finished, or none was tried.',
    ),
  }),
});
