import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type BACKUP_OUTCOMES, backupRuleName } from '../../names.ts';
import { PERIOD, type Watched } from '../hub-metrics.ts';
import type { Conditions } from './condition.ts';

/** Hours without a copy after which one is missing. The daily one may begin an hour late and grow with the table. */
const MAX_HOURS = 30;

const counted = (
  { config }: Watched,
  outcome: (typeof BACKUP_OUTCOMES)[number],
  period: Duration = PERIOD,
): Metric =>
  new Metric({
    namespace: 'AWS/Events',
    metricName: 'Invocations',
    dimensionsMap: { RuleName: backupRuleName(config, outcome) },
    statistic: 'Sum',
    period,
  });

/** Returns the alarms for the daily backup and its copy in another account. */
export const backupConditions = (watched: Watched): Conditions =>
  watched.config.backupCopies === undefined
    ? {}
    : {
        'backup failed': {
          metric: counted(watched, 'failed'),
          about:
            'A daily backup of the table or its copy to the other account failed, expired or was aborted.',
          runbook: 'backup-copies',
          momentary: true,
        },
        // Events of AWS Backup are sent at best effort, so a failure may be known by the missing copy only.
        'backup copy missing': {
          metric: counted(watched, 'copied', Duration.hours(1)),
          about: `No copy of the table arrived in the other account for ${MAX_HOURS} hours.`,
          runbook: 'backup-copies',
          periods: MAX_HOURS,
          more: {
            comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
            treatMissingData: TreatMissingData.BREACHING,
          },
        },
      };
