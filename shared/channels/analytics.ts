import type { Runtime } from '../runtime.ts';
import { callUpstream } from './upstream.ts';

/**
 * Sends a payload to the analytics service (GA4 Measurement Protocol) with the server's measurement id and secret.
 *
 * @returns false if the service refused the payload (4xx). A retry would be refused again.
 * @throws UpstreamDownError
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
