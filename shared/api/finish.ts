import type { Runtime } from '../runtime.ts';
import type { Answer } from './answer.ts';
import { type ApiEvent, arrivedOf } from './api-event.ts';
import type { Operation } from './operation.ts';
import { rateHeaders } from './rate-headers.ts';

/** Returns the header Server-Timing, in milliseconds. It tells how long parts take, so stages switch it on. */
const timing = ({ at, authenticatedAt }: { at: number; authenticatedAt?: number | undefined }): string => {
  const now = performance.now();
  const parts = [
    ...(authenticatedAt === undefined
      ? []
      : ([
          ['auth', authenticatedAt - at],
          ['handler', now - authenticatedAt],
        ] as const)),
    ['total', now - at] as const,
  ];
  return parts.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ');
};

/** Few answers are errors that a client wants as problem details, so a cold start does not load their code. */
const formatted = async (
  operation: Operation,
  { headers }: ApiEvent,
  answer: Answer,
  { docs, violated }: { docs: string; violated: string | undefined },
): Promise<Answer> => {
  if (answer.statusCode < 400 || !operation.extension) return answer;
  if (!headers.accept?.includes('problem')) return answer;
  const { acceptsProblem, asProblem } = await import('./problem.ts');
  return acceptsProblem(headers.accept) ? asProblem(answer, docs, violated) : answer;
};

/** Few operations are cached, so a cold start of others does not load the code. */
const cached = async ({ cache }: Operation, { headers }: ApiEvent, answer: Answer): Promise<Answer> => {
  if (cache === undefined || answer.statusCode !== 200) return answer;
  const { conditional } = await import('./conditional.ts');
  return conditional(answer, cache, headers['if-none-match']);
};

/**
 * Adds to an answer what depends on the request and is not stored for replays: the state of the rate limits, the entity
 * tag, the format of errors, and times.
 */
export const finish = async (
  operation: Operation,
  runtime: Runtime,
  event: ApiEvent,
  answer: Answer,
): Promise<Answer> => {
  const arrived = arrivedOf(event);
  const { admission } = arrived;
  const { HUB_PUBLIC_URL: url, HUB_SERVER_TIMING: serverTiming } = runtime.settings;
  if (answer.statusCode < 400) admission?.prove();
  const violated = admission?.isAdmitted === false ? admission.policy : undefined;
  const written = await formatted(operation, event, answer, { docs: `${url}/docs`, violated });
  const { headers, ...rest } = await cached(operation, event, written);
  return {
    ...rest,
    headers: {
      ...headers,
      ...(admission && rateHeaders(admission, headers.ratelimit)),
      ...(serverTiming === 'on' && { 'server-timing': timing(arrived) }),
    },
  };
};
