import type { Runtime } from '../../runtime.ts';
import { authenticatedAt } from './authenticate-caller.ts';
import { type Middleware, onAnswer } from './middleware.ts';
import { startedAt } from './observe.ts';

const entry = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`;

/** Adds the header Server-Timing, in milliseconds. It tells how long parts take, so stages switch it on. */
export const serverTiming = ({ settings }: Runtime): Middleware =>
  onAnswer((answer, { event }) => {
    if (settings.HUB_SERVER_TIMING !== 'on') return answer;
    const now = performance.now();
    const start = startedAt.get(event);
    const known = authenticatedAt.find(event);
    const parts = known === undefined ? [] : [entry('auth', known - start), entry('handler', now - known)];
    const value = [...parts, entry('total', now - start)].join(', ');
    return { ...answer, headers: { ...answer.headers, 'server-timing': value } };
  });
