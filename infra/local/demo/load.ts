import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { CAPABILITIES } from '../../../shared/settings.ts';
import { ROOT } from '../../bundle/built.ts';
import { type Addresses, type Environment, functionEnvironment } from '../lambda/environment.ts';
import type { Bus } from '../services/bus.ts';

const said = z.union([
  z.object({ step: z.string() }),
  z.object({ goesOn: z.boolean() }),
  z.object({ failed: z.string() }),
]);

const COMPILED = join(ROOT, '.build', 'compiled');

/** Every operation runs in this process, so it has the settings of every function. */
const DECLARED = { name: 'demo', uses: CAPABILITIES, memoryMb: 1024 } as const;

/** Returns whether the demo data has a history. */
export const hasHistory = ({ HUB_DEMO_HISTORY }: Environment): boolean => HUB_DEMO_HISTORY !== 'no';

/** Returns whether the demo data may be a copy of that of an earlier first start. */
export const isCopied = ({ HUB_DEMO_HISTORY }: Environment): boolean =>
  HUB_DEMO_HISTORY === undefined || HUB_DEMO_HISTORY === 'yes';

/** Service that the demo data is for. */
interface Served {
  readonly addresses: Addresses;
  readonly environment: Environment;
  /** Tells whether the demo market runs. */
  readonly hasMarket: boolean;
}

/** Runs a step of the demo data in a new process, so that its memory is freed when it ends. Returns whether a step follows. */
const runStep = async (
  step: 'load' | 'finish',
  { addresses, environment, hasMarket }: Served,
  report: (step: string) => void,
): Promise<boolean> => {
  const child = fork(new URL('./process.ts', import.meta.url), {
    env: {
      ...functionEnvironment(DECLARED, addresses, environment),
      HUB_DEMO_STEP: step,
      HUB_DEMO_HISTORY: hasHistory(environment) ? 'yes' : 'no',
      HUB_DEMO_MARKET: hasMarket ? 'yes' : 'no',
      // Node keeps the compiled modules there, so that later starts need not compile a thousand files again.
      NODE_COMPILE_CACHE: COMPILED,
    },
    execArgv: [],
    detached: true,
  });
  let outcome: { goesOn: boolean } | { failed: string } | undefined;
  child.on('message', (message: unknown) => {
    const parsed = said.parse(message);
    if ('step' in parsed) report(parsed.step);
    else outcome = parsed;
  });
  const [code] = await once(child, 'exit');
  if (outcome && 'goesOn' in outcome) return outcome.goesOn;
  throw new Error(outcome ? outcome.failed : `the demo data could not be loaded: exit code ${code}`);
};

/**
 * Loads the demo data.
 *
 * @param report gets the name of each step when it begins
 * @returns whether a history was loaded
 */
export const loadDemo = (served: Served, report: (step: string) => void): Promise<boolean> =>
  runStep('load', served, report);

/**
 * Finishes a history whose messages are delivered: its track records get the state of the last recorded candle.
 *
 * @returns whether to finish once more when everything is delivered.
 */
export const finishDemo = (served: Served, report: (step: string) => void): Promise<boolean> =>
  runStep('finish', served, report);

const POLL_MS = 100;
const MAX_WAIT_MS = 60_000;
/** The stream brings what is new within this time. */
const STREAM_MS = 2000;
const DAY = 24 * 3_600_000;

/**
 * Waits until the outbox and the bus are empty, for at most a minute. Returns whether they are.
 *
 * @param sweep delivers messages that the stream does not bring again: a start that was killed has left them.
 */
export const everythingDelivered = async (
  store: Store,
  bus: Pick<Bus, 'isIdle'>,
  sweep: () => Promise<unknown>,
): Promise<boolean> => {
  const started = Date.now();
  while (Date.now() < started + MAX_WAIT_MS) {
    // Events of the bus make messages too, so look at the bus before and after the outbox.
    const wasIdle = bus.isIdle();
    const left = await findDueDeliveries(store, 'main', new Date(Date.now() + DAY), 1);
    if (wasIdle && left.length === 0 && bus.isIdle()) return true;
    if (left.length > 0 && Date.now() > started + STREAM_MS) await sweep();
    await wait(POLL_MS);
  }
  return false;
};
