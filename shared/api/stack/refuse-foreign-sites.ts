import { crossSiteRefused } from '../cookies.ts';
import type { Operation } from '../operation.ts';
import type { Middleware } from './middleware.ts';
import { validRequest } from './validate-input.ts';

/** Refuses web pages of other origins where the operation sets cookies. */
export const refuseForeignSites = ({ cookies }: Operation): Middleware => ({
  before: ({ event }) => {
    if (cookies === 'own_site' && validRequest.get(event).presented.foreign) throw crossSiteRefused();
  },
});
