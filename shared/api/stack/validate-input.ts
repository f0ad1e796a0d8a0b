import type { Runtime } from '../../runtime.ts';
import { refuseIgnoredBody } from '../content-type.ts';
import { isForeign } from '../cookies.ts';
import type { BoundOperation, Operation, Presented, RequestParts } from '../operation.ts';
import { cookiesOf, headersOf, partsOf, withQueryInBody } from '../request.ts';
import type { Middleware } from './middleware.ts';
import { sentBody } from './parse-body.ts';
import { Slot } from './slot.ts';

/** Decoded request with the handler bound to its validated input. */
export interface ValidRequest {
  readonly presented: RequestParts & Presented;
  readonly bound: BoundOperation;
  /** Time of the request; the same during the whole request. */
  readonly now: Date;
}

export const validRequest = new Slot<ValidRequest>('the validated request');

/** Decodes a request and validates its input. The caller is authenticated later, so that 422 comes before 401. */
export const validateInput = (operation: Operation, { settings, clock }: Runtime): Middleware => ({
  before: ({ event }) => {
    const now = clock();
    const sent = sentBody.get(event);
    const received = partsOf(operation, event, sent);
    const parts = operation.queryInBody ? withQueryInBody(received) : received;
    const bound = operation.bind(parts);
    refuseIgnoredBody(operation, event, sent);
    const headers = headersOf(event);
    const foreign = operation.cookies !== 'any_site' && isForeign(headers, settings);
    const presented = { ...parts, headers, cookies: cookiesOf(event), foreign, settings };
    validRequest.set(event, { presented, bound, now });
  },
});
