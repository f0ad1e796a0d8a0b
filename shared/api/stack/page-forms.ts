import type { Runtime } from '../../runtime.ts';
import type { Operation } from '../operation.ts';
import type { Middleware } from './middleware.ts';
import { page } from './run-operation.ts';

/** Adds links to the answers of paged lists, and writes the items in the form that `Accept` prefers. */
export const pageForms = (operation: Operation, { settings }: Runtime): Middleware => ({
  after: async (request) => {
    const { event, response } = request;
    const listed = page.find(event);
    if (!response || listed === undefined) return;
    // Load late: functions without lists never need it.
    const { pageAnswer } = await import('../page-answer.ts');
    request.response = await pageAnswer(response, listed, operation, {
      address: settings.HUB_PUBLIC_URL + event.rawPath,
      query: event.rawQueryString,
      accept: event.headers.accept,
    });
  },
});
