import { performance } from 'node:perf_hooks';

const idleMs = (): number => performance.eventLoopUtilization().idle;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Returns the result of a call and how many milliseconds this process waited for something meanwhile. The time in which
 * it computes, or in which a busy machine runs others instead, does not count: a limit of a wait holds on any machine.
 */
export const withWait = async <T>(call: () => Promise<T>): Promise<{ result: T; waitedMs: number }> => {
  const before = idleMs();
  return { result: await call(), waitedMs: idleMs() - before };
};

/**
 * Returns the result of a call.
 *
 * @throws {Error} if the processor worked `limitMs` or longer for this process meanwhile. Choose a limit that is a
 * large multiple of the usual time: it finds work that grows with the square of the input, not a slow machine.
 */
export const computesLessThan = async <T>(limitMs: number, call: () => Promise<T>): Promise<T> => {
  const before = cpuMs();
  const [outcome] = await Promise.allSettled([call()]);
  const ms = cpuMs() - before;
  if (ms >= limitMs) throw new Error(`worked ${Math.round(ms)} ms, the limit is ${limitMs}`);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
};
