import { sameSecret } from '../auth/key-ring.ts';
import { cached } from '../cached.ts';
import { readEdgeKeys } from '../own-secrets.ts';
import { type BaseRuntime, SECRETS_MS } from '../runtime.ts';
import { HubError } from './errors.ts';

/** Header with a secret, by which the distribution in front of the API proves that a request came through it. */
export const EDGE_HEADER = 'x-hub-edge';

/** Part of a request that tells its way. */
interface Arriving {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address that connected to the gateway. */
  readonly sourceIp: string;
}

type EdgeRuntime = Pick<BaseRuntime, 'settings' | 'clock' | 'edgeKeys'>;

const loaders = new WeakMap<EdgeRuntime, () => Promise<readonly string[]>>();

/** Returns the values of the header. */
const keysOf = (runtime: EdgeRuntime): Promise<readonly string[]> => {
  const { settings, clock, edgeKeys } = runtime;
  const load =
    edgeKeys ??
    loaders.get(runtime) ??
    cached(() => readEdgeKeys(settings.HUB_EDGE_SECRET_ID), clock, SECRETS_MS);
  loaders.set(runtime, load);
  return load();
};

/**
 * Returns the address that connected to the distribution. Each of distribution and gateway appends the address that
 * connected to it. Entries before these are from the caller, who may write anything.
 */
const viewerOf = ({ headers, sourceIp }: Arriving): string => {
  const hops = (headers['x-forwarded-for'] ?? '').split(',').map((hop) => hop.trim());
  if (hops.at(-1) === sourceIp) hops.pop();
  return hops.at(-1) || sourceIp;
};

/**
 * Returns the address of the caller, which is that of the viewer if the request came through the distribution.
 *
 * @returns undefined for a request around a locked distribution.
 */
export const callerAddress = async (
  runtime: EdgeRuntime,
  arriving: Arriving,
): Promise<string | undefined> => {
  const { HUB_EDGE: edge } = runtime.settings;
  if (edge === 'off') return arriving.sourceIp;
  const proof = arriving.headers[EDGE_HEADER];
  const isProven = proof !== undefined && (await keysOf(runtime)).some((key) => sameSecret(key, proof));
  if (isProven) return viewerOf(arriving);
  return edge === 'locked' ? undefined : arriving.sourceIp;
};

/** Refuses a request around a locked distribution. */
export const aroundEdge = (): HubError =>
  new HubError('address_refused', 'This address takes no requests. Use the public address of the service.');
