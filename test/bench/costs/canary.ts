import { CANARY_JOBS } from '../../../functions/jobs/canary/jobs.ts';
import { PRICES } from './prices.ts';

/** Runs in a month. */
const RUNS = 20 * 24 * 30;
/** Requests of a run: the console is two, a sign-in three. */
const REQUESTS = 8;
/** Seconds of a run. */
const SECONDS = 1.5;
const GB = 0.5;
/** Units of a sign-in and a sign-out. */
const WRITES = 7;
/** Metrics of a passed run of each job, and its two alarms; alarms of the function: throttled, errors, silent, dead letters. */
const ALARMS = 2 + 4;

/** Returns the costs of the checks from outside for a month, in dollars, with those of the requests that they make. */
export const canaryMonth = (): number =>
  RUNS * (PRICES.scheduledRun + PRICES.lambdaRequest + SECONDS * GB * PRICES.lambdaGbSecond) +
  RUNS * REQUESTS * (PRICES.httpApiRequest + PRICES.lambdaRequest + 0.02 * PRICES.lambdaGbSecond) +
  RUNS * WRITES * PRICES.writeUnit +
  CANARY_JOBS.length * PRICES.metricMonth +
  ALARMS * PRICES.alarmMonth +
  PRICES.secretMonth;
