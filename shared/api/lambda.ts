import type { Context } from 'aws-lambda';
import { createRuntime, type Runtime } from '../runtime.ts';
import type { Answer } from './answer.ts';
import type { ApiEvent } from './api-event.ts';
import type { LateOperation, Operation } from './operation.ts';
import { RateLimiter } from './rate-limiter.ts';
import { stackOf } from './stack/stack.ts';

export type ApiHandler = (event: ApiEvent, context: Context) => Promise<Answer>;

const SALT_BYTES = 32;

/**
 * Creates the handler of a group of operations. Operations are loaded at their first request.
 *
 * @param runtime is called at the first request.
 */
export const createHandler = (
  operations: readonly (Operation | LateOperation)[],
  runtime: () => Runtime,
): ApiHandler => {
  const byRoute = new Map(operations.map((operation) => [operation.routeKey, operation]));
  const stacks = new Map<string, ReturnType<typeof stackOf>>();
  let limiter: RateLimiter | undefined;
  const limiterOf = ({ settings, random }: Runtime): RateLimiter | undefined => {
    const limits = settings.HUB_RATE_LIMITS;
    limiter ??= limits ? new RateLimiter(limits, random(SALT_BYTES)) : undefined;
    return limiter;
  };
  return async (event, context) => {
    const { routeKey } = event;
    let stack = stacks.get(routeKey);
    if (!stack) {
      const found = byRoute.get(routeKey);
      if (!found) throw new Error(`the gateway routes ${routeKey} to a function that does not serve it`);
      const given = runtime();
      stack = stackOf('load' in found ? await found.load() : found, given, limiterOf(given));
      stacks.set(routeKey, stack);
    }
    return stack(event, context);
  };
};

/** Creates the Lambda handler of a group of operations. Reads its settings from the environment at the first request. */
export const lambdaHandler = (operations: readonly Operation[]): ApiHandler => {
  let runtime: Runtime | undefined;
  return createHandler(operations, () => {
    runtime ??= createRuntime(process.env);
    return runtime;
  });
};
