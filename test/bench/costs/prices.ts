export const MILLION = 1e6;

/**
 * List prices of us-east-1 in US dollars, without the free tier and without volume discounts, from the pricing pages of
 * AWS: API Gateway (HTTP APIs), Lambda (arm64), DynamoDB (on demand, standard class), EventBridge (custom events,
 * Scheduler), SQS, CloudWatch, X-Ray, EC2 (transfer out), SES, Secrets Manager, KMS.
 */
export const PRICES = {
  httpApiRequest: 1 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  readUnit: 0.125 / MILLION,
  writeUnit: 0.625 / MILLION,
  busEvent: 1 / MILLION,
  scheduledRun: 1 / MILLION,
  /** Of a FIFO queue; of others 0.4. */
  queueRequest: 0.5 / MILLION,
  logGb: 0.5,
  trace: 5 / MILLION,
  transferGb: 0.09,
  mail: 0.1 / 1000,
  storageGbMonth: 0.25,
  backupGbMonth: 0.2,
  secretMonth: 0.4,
  keyMonth: 1,
  alarmMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  metricMonth: 0.3,
} as const;

/** Assumptions that no benchmark measures. */
export const ASSUMED = {
  /** Milliseconds of a call to DynamoDB from Lambda, and of a request without its calls. */
  callMs: 6,
  restMs: 6,
  /** 30 ms of CPU for Argon2id, on the 0.58 vCPU of 1 GB. */
  hashMs: 52,
  gb: 1,
  asynchronousGb: 0.5,
  /** Memory of walks and backtests, and of the function in which consoles wait. */
  jobGb: 1.769,
  eventsGb: 0.25,
  /** Seconds that an answer waits for events. */
  waitS: 10,
  /** Request line, metric, access log, and Lambda's own lines. */
  logBytes: 1500,
  /** X-Ray's default rule, beyond one request a second. */
  tracedShare: 0.05,
  answerBytes: 4000,
  /** Lambda keeps five calls waiting at an empty queue, each for 20 seconds. */
  pollsAMinute: 15,
} as const;

export const GB = 1e9;
