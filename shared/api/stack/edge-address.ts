import type { Runtime } from '../../runtime.ts';
import type { Middleware } from './middleware.ts';

/** Replaces the address of the distribution by that of the caller, in stages that have a distribution. */
export const edgeAddress = (runtime: Runtime): Middleware => ({
  before: async ({ event: { headers, requestContext } }) => {
    if (runtime.settings.HUB_EDGE === 'off') return;
    const { http } = requestContext;
    const { aroundEdge, callerAddress, EDGE_HEADER } = await import('../edge.ts');
    const address = await callerAddress(runtime, { headers, sourceIp: http.sourceIp });
    delete headers[EDGE_HEADER];
    if (address === undefined) throw aroundEdge();
    http.sourceIp = address;
  },
});
