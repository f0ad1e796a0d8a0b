import type { Runtime } from '../runtime.ts';
import type { Answer } from './answer.ts';
import { type ApiEvent, arrivedOf } from './api-event.ts';
import { conditional } from './conditional.ts';
import type { Operation } from './operation.ts';
import { acceptsProblem, asProblem } from './problem.ts';
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

/**
 * Adds to an answer what depends on the request and is not stored for replays: the state of the rate limits, the entity
 * tag, the format of errors, and times.
 */
export const finish = (operation: Operation, runtime: Runtime, event: ApiEvent, answer: Answer): Answer => {
  const arrived = arrivedOf(event);
  const { admission } = arrived;
  const { HUB_PUBLIC_URL: url, HUB_SERVER_TIMING: serverTiming } = runtime.settings;
  if (answer.statusCode < 400) admission?.prove();
  const violated = admission?.isAdmitted === false ? admission.policy : undefined;
  const formatted =
    operation.extension && acceptsProblem(event.headers.accept)
      ? asProblem(answer, `${url}/docs`, violated)
      : answer;
  const checked =
    operation.cache === undefined
      ? formatted
      : conditional(formatted, operation.cache, event.headers['if-none-match']);
  return {
    ...checked,
    headers: {
      ...checked.headers,
      ...(admission && rateHeaders(admission)),
      ...(serverTiming === 'on' && { 'server-timing': timing(arrived) }),
    },
  };
};
