import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { HubConfig } from '../../stage.ts';
import { PERIOD } from '../hub-metrics.ts';
import type { Conditions } from './condition.ts';

/** Part of the account's concurrent executions at which requests are close to being throttled. */
const MAX_CONCURRENCY_PCT = 80;
/** Amazon reviews an account at 5 % bounces and 0.1 % complaints, and may stop its mail. */
const MAX_BOUNCE_RATIO = 0.04;
const MAX_COMPLAINT_RATIO = 0.0008;

/** Part of the daily quota of mails at which the operator requests a higher one, which takes a day. */
const MAX_MAIL_PCT = 80;

const reputation = (metricName: string): Metric =>
  new Metric({ namespace: 'AWS/SES', metricName, statistic: 'Maximum', period: PERIOD });

/** Returns the alarm for the daily quota of mails. Its window slides, as that of the quota does. */
const mailQuota = (quota: number): Conditions => ({
  'mail quota': {
    metric: new Metric({
      namespace: 'AWS/SES',
      metricName: 'Send',
      statistic: 'Sum',
      period: Duration.days(1),
    }),
    about: `The account sent ${MAX_MAIL_PCT} % of its mails of 24 hours (${quota}). At 90 % notifications wait, and only codes are sent.`,
    runbook: 'mail-quota',
    atLeast: Math.ceil((quota * MAX_MAIL_PCT) / 100),
  },
});

/** Returns the alarms for limits that all stages of an account share. */
export const accountConditions = ({ mailFrom }: Pick<HubConfig, 'mailFrom'>): Conditions => ({
  ...(mailFrom.dailyQuota !== undefined && mailQuota(mailFrom.dailyQuota)),
  'account concurrency': {
    metric: new MathExpression({
      expression: '100 * used / SERVICE_QUOTA(used)',
      usingMetrics: {
        used: new Metric({
          namespace: 'AWS/Usage',
          metricName: 'ResourceCount',
          dimensionsMap: {
            Class: 'None',
            Resource: 'ConcurrentExecutions',
            Service: 'Lambda',
            Type: 'Resource',
          },
          statistic: 'Maximum',
          period: PERIOD,
        }),
      },
      label: 'used part of the quota in percent',
      period: PERIOD,
    }),
    about: `Functions of the account use ${MAX_CONCURRENCY_PCT} % of its concurrent executions.`,
    runbook: 'account-concurrency',
    atLeast: MAX_CONCURRENCY_PCT,
  },
  'mail bounces': {
    metric: reputation('Reputation.BounceRate'),
    about: 'At least 4 % of the mails of the account bounced. Amazon may stop its mail at 5 %.',
    runbook: 'mail-bounces-and-complaints',
    atLeast: MAX_BOUNCE_RATIO,
  },
  'mail complaints': {
    metric: reputation('Reputation.ComplaintRate'),
    about:
      'At least 0.08 % of the mails of the account were reported as spam. Amazon may stop its mail at 0.1 %.',
    runbook: 'mail-bounces-and-complaints',
    atLeast: MAX_COMPLAINT_RATIO,
  },
});
