import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createFunctions,
  FunctionFailedError,
  type FunctionRunner,
  PayloadTooLargeError,
} from '../../../infra/local/lambda/functions.ts';
import { until } from '../../support/until.ts';
import { parentOf, processesWith } from './service.ts';

let runner: FunctionRunner | undefined;

afterEach(() => runner?.close());

/** Returns the processes of functions that this process has started. */
const childrenOf = (pid: number): number[] =>
  processesWith('function-process').filter((child) => parentOf(child) === pid);

const FILES = {
  plain: new URL('./fixtures/plain.mjs', import.meta.url).pathname,
  broken: new URL('./fixtures/broken.mjs', import.meta.url).pathname,
  slow: new URL('./fixtures/slow.mjs', import.meta.url).pathname,
};

const fixture = (name: keyof typeof FILES, timeoutS = 5, idleS = 60) => ({
  name,
  file: FILES[name],
  environment: { HUB_ONE: '1', AWS_LAMBDA_FUNCTION_NAME: `hub-${name}` },
  role: [],
  memoryMb: 128,
  timeoutS,
  idleS,
});

const open = (timeoutS?: number, idleS?: number) => {
  const reports: string[] = [];
  runner = createFunctions([fixture('plain', timeoutS, idleS), fixture('broken')], (line) =>
    reports.push(line),
  );
  return { invoke: (event: unknown) => runner?.invoke('plain', event), reports, runner };
};

describe('a function', () => {
  it('gets its own environment and a Lambda context', async () => {
    const { invoke } = open();
    expect(await invoke({})).toEqual({
      invocations: 1,
      env: { HUB_ONE: '1', AWS_LAMBDA_FUNCTION_NAME: 'hub-plain' },
      functionName: 'hub-plain',
      remaining: expect.any(Number),
    });
  });

  it('answers null when it returns nothing', async () => {
    expect(await open().invoke({ do: 'nothing' })).toBeNull();
  });

  it('serves many invocations at once', async () => {
    const { invoke } = open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => invoke({ do: 'meet', count: 50 })));
    expect(new Set(answers)).toEqual(new Set(['met']));
  });

  it('that throws fails only that invocation', async () => {
    const { invoke, reports } = open();
    await expect(invoke({ do: 'throw' })).rejects.toThrow(/TypeError: as asked/);
    expect(await invoke({})).toMatchObject({ invocations: 2 });
    expect(reports).toEqual([]);
  });

  it('that crashes is reported and starts again', async () => {
    const { invoke, reports } = open();
    const waiting = invoke({ do: 'wait', ms: 5000 });
    await Promise.all([
      expect(waiting).rejects.toThrow(FunctionFailedError),
      expect(invoke({ do: 'exit' })).rejects.toThrow('exit code 3'),
    ]);
    expect(reports).toEqual([expect.stringContaining('plain ended: exit code 3')]);
    expect(await invoke({})).toMatchObject({ invocations: 1 });
  });

  it('that does not load fails, and the next invocation loads it again', async () => {
    const { runner, reports } = open();
    await expect(runner?.invoke('broken', {})).rejects.toThrow('does not load');
    await expect(runner?.invoke('broken', {})).rejects.toThrow('does not load');
    expect(reports).toHaveLength(2);
  });

  it('that hangs in a loop is replaced', async () => {
    const { invoke } = open(1);
    await expect(invoke({ do: 'loop' })).rejects.toThrow('no answer within 1 s');
    expect(await invoke({})).toMatchObject({ invocations: 1 });
  });

  it('has its time for an invocation, however long its start takes', async () => {
    runner = createFunctions([fixture('slow', 1)], () => undefined);
    expect(await runner.invoke('slow', {})).toBe('started');
  });

  it('receives and returns at most 6 MB', async () => {
    const { invoke } = open();
    await expect(invoke({ large: 'a'.repeat(6 * 1024 * 1024) })).rejects.toThrow(PayloadTooLargeError);
    await expect(invoke({ do: 'large' })).rejects.toThrow('over the limit of 6 MB');
  });

  it('starts with its first invocation and ends after an idle time', async () => {
    const { invoke, reports } = open(5, 0.1);
    expect(childrenOf(process.pid)).toEqual([]);
    expect(await invoke({})).toMatchObject({ invocations: 1 });
    expect(childrenOf(process.pid)).toHaveLength(1);
    await until(() => childrenOf(process.pid).length === 0);
    expect(childrenOf(process.pid)).toEqual([]);
    expect(await invoke({})).toMatchObject({ invocations: 1 });
    expect(reports).toEqual([]);
  });

  it('that is busy is not ended after the idle time', async () => {
    const { invoke, runner } = open();
    const waiting = invoke({ do: 'wait', ms: 300 });
    await runner?.rest();
    expect(await waiting).toBe('waited');
    await runner?.rest();
    expect(childrenOf(process.pid)).toEqual([]);
    expect(await invoke({})).toMatchObject({ invocations: 1 });
  });
});
