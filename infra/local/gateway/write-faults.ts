import * as z from 'zod';
import type { GatewayAnswer } from './response.ts';

const HEALTH = 'GET /health';
/** Time for which a check of the database counts for further requests of `/health`. */
const HEALTH_CACHE_MS = 5000;

const json = (status: number, { headers }: GatewayAnswer, value: object): GatewayAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

const detailOf = (reason: string): string => `The local database cannot write: ${reason}.`;

/** The answer of a function has the id of the request, that of the gateway has not. */
const failedBody = z.object({ request_id: z.string().optional() });
const healthBody = z.looseObject({ checks: z.record(z.string(), z.unknown()) });

/** Explains answers of functions whose writes the database refuses. A function does not know why. */
export type ExplainAnswer = (routeKey: string, answer: GatewayAnswer) => GatewayAnswer;

/**
 * @param findFault returns why the database cannot write; undefined if it can.
 * @param print prints each new reason once.
 */
export const explainWriteFaults = (
  findFault: () => string | undefined,
  print: (line: string) => void,
  clock: () => number = Date.now,
): ExplainAnswer => {
  let checked: { readonly at: number; readonly fault: string | undefined } | undefined;
  const check = (): string | undefined => {
    const fault = findFault();
    if (fault !== undefined && fault !== checked?.fault) print(detailOf(fault));
    checked = { at: clock(), fault };
    return fault;
  };
  const isRecent = (): boolean => checked !== undefined && clock() - checked.at < HEALTH_CACHE_MS;

  return (routeKey, answer) => {
    if (routeKey === HEALTH && answer.status === 200) {
      const fault = isRecent() ? checked?.fault : check();
      if (fault === undefined) return answer;
      const body = healthBody.parse(JSON.parse(answer.body.toString('utf8')));
      const checks = { ...body.checks, table: 'unwritable' };
      return json(200, answer, { ...body, status: 'degraded', checks, detail: detailOf(fault) });
    }
    const fault = answer.status === 500 ? check() : undefined;
    if (fault === undefined) return answer;
    const own = failedBody.parse(JSON.parse(answer.body.toString('utf8')));
    return json(503, answer, { detail: detailOf(fault), code: 'unavailable', ...own });
  };
};
