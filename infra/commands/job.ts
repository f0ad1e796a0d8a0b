import * as z from 'zod';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { DataInUseError, readHolder } from '../local/database/state.ts';
import { LOCAL_HEADER, LOCAL_PREFIX } from '../local/gateway/local-pages.ts';
import { type Hub, startHub } from '../local/hub.ts';
import { dataDirOf, explain, portOf, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const JOB_NAMES = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'schedule' ? trigger.schedules.map(({ job }) => job) : [],
);

const USAGE = `npm run job -- NAME, where NAME is one of:\n  ${JOB_NAMES.join('\n  ')}`;

const answer = z.object({
  message: z.string().optional(),
  result: z.looseObject({ done: z.number(), more: z.boolean() }).optional(),
});

/** Runs a job once and prints its result. @returns whether the job must run again. */
const ask = async (url: string, job: string): Promise<boolean> => {
  const response = await fetch(`${url}${LOCAL_PREFIX}jobs/${job}`, {
    method: 'POST',
    headers: { [LOCAL_HEADER]: 'job' },
  });
  const { message, result } = answer.parse(await response.json());
  if (!response.ok) throw new UsageError(`The job ${job} failed: ${message}`);
  const goesOn = result?.more === true && result.done > 0;
  console.log(`The job ${job} ${goesOn ? 'continues' : 'is done'}: ${JSON.stringify(result)}`);
  return goesOn;
};

/** Starts the service only for the job, on free ports, unless it already runs on the data. */
const startUnlessRunning = async (dataDir: string): Promise<Hub | undefined> => {
  const { env } = process;
  // Messages of a job may contain the public address, so do not use the temporary port of the job.
  const HUB_PUBLIC_URL = env.HUB_PUBLIC_URL || `http://localhost:${portOf(env, 'PORT', 3000)}`;
  try {
    return await startHub({
      dataDir,
      environment: { ...env, HUB_PUBLIC_URL },
      schedules: false,
      demoData: false,
    });
  } catch (error) {
    if (error instanceof DataInUseError) return undefined;
    throw error;
  }
};

const run = async (): Promise<void> => {
  const { positionals } = readOptions(USAGE, { allowPositionals: true });
  const [job = ''] = positionals;
  if (!JOB_NAMES.includes(job) || positionals.length !== 1) throw new UsageError(USAGE);
  const dataDir = dataDirOf(process.env);
  const own = await startUnlessRunning(dataDir);
  const url = own?.url ?? readHolder(dataDir)?.url;
  if (!url) throw new UsageError('The service is starting. Try again when it is ready.');
  try {
    while (await ask(url, job));
  } finally {
    await own?.close();
  }
};

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
