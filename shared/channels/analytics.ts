import type { Runtime } from '../runtime.ts';
import { callUpstream } from './upstream.ts';

/**
 * Sends a payload to the analytics service (GA4 Measurement Protocol) under the server's own
 * measurement id and secret.
 *
 * @returns whether the service took it; a refusal (4xx) would meet the same payload again.
 * @throws UpstreamDown
 */
export const sendAnalytics = async (runtime: Runtime, payload: string): Promise<boolean> => {
  const settings = runtime.capability('analytics');
  const { analyticsSecret } = await runtime.secrets();
  const url = new URL(settings.HUB_ANALYTICS_URL);
  url.searchParams.set('measurement_id', settings.HUB_ANALYTICS_MEASUREMENT_ID);
  url.searchParams.set('api_secret', analyticsSecret);
  const init = { method: 'POST', body: payload, headers: { 'content-type': 'application/json' } };
  return callUpstream('the analytics service', url, init, async ({ ok }) => ok);
};
