import type { Runtime } from '../../runtime.ts';
import type { Operation } from '../operation.ts';
import { admission } from './limit-rate.ts';
import { type Middleware, onAnswer } from './middleware.ts';

/** Writes errors of extensions as problem details for clients that accept them. The contract fixes the other errors. */
export const problemDetails = ({ extension }: Operation, { settings }: Runtime): Middleware =>
  onAnswer(async (answer, { event }) => {
    const { accept } = event.headers;
    if (answer.statusCode < 400 || !extension || !accept?.includes('problem')) return answer;
    // Few clients want problem details, so a cold start does not load the code.
    const { acceptsProblem, asProblem } = await import('../problem.ts');
    if (!acceptsProblem(accept)) return answer;
    const verdict = admission.find(event);
    const violated = verdict?.isAdmitted === false ? verdict.policy : undefined;
    return asProblem(answer, `${settings.HUB_PUBLIC_URL}/docs`, violated);
  });
