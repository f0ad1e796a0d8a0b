import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Allowed targets of addresses that users enter: the public internet over https, or only this machine. */
export type Reach = 'internet' | 'loopback';

/** An address that a user entered is not an allowed target. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the address is not an allowed target');
    // Stored as the reason of a delivery: never rename.
    this.name = 'ForbiddenAddress';
  }
}

const listOf = (subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
};

/** Special-purpose addresses of IANA that are not globally reachable, multicast and class E. */
const PRIVATE_V4 = listOf(
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ],
  'ipv4',
);

/** Global unicast. IPv4 addresses embedded in IPv6 are outside of it, except for 6to4 and Teredo below. */
const GLOBAL_V6 = listOf([['2000::', 3]], 'ipv6');

/** Protocol assignments (Teredo among them), documentation, 6to4. */
const PRIVATE_V6 = listOf(
  [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ],
  'ipv6',
);

const LOOPBACK_V4 = listOf([['127.0.0.0', 8]], 'ipv4');

/** Tells whether an IP address is an allowed target. */
export const isWithin = (reach: Reach, address: string): boolean => {
  if (isIP(address) === 4) {
    return reach === 'loopback' ? LOOPBACK_V4.check(address) : !PRIVATE_V4.check(address);
  }
  if (isIP(address) !== 6) return false;
  if (reach === 'loopback') return address === '::1';
  return GLOBAL_V6.check(address, 'ipv6') && !PRIVATE_V6.check(address, 'ipv6');
};

type ResolveAll = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Creates a resolver for sockets that returns only allowed addresses. The socket connects to the checked address, so a
 * later change of the name (DNS rebinding) has no effect.
 */
export const guardedLookup =
  (reach: Reach, resolve: ResolveAll = systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, '');
      if (!first || !addresses.every(({ address }) => isWithin(reach, address))) {
        return callback(new ForbiddenAddressError(), '');
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

interface Head extends Pick<IncomingMessage, 'statusCode' | 'headers'> {
  readonly text: string;
}

/** Reads the beginning of an answer. */
const beginningOf = async (response: IncomingMessage, bytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes).toString();
};

/** Sends a request and resolves with the status, the headers and the wanted beginning of the answer. */
const headOf = (
  url: URL,
  options: RequestOptions,
  body: Uint8Array | undefined,
  readBytes: number,
): Promise<Head> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
      const { statusCode, headers } = response;
      (readBytes === 0 ? Promise.resolve('') : beginningOf(response, readBytes))
        .then((text) => resolve({ ...(statusCode !== undefined && { statusCode }), headers, text }), reject)
        // The rest is not needed and could be long, so do not read it.
        .finally(() => request.destroy());
    });
    request.on('error', reject);
    request.end(body);
  });

interface GuardedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly reach: Reach;
  readonly patienceMs: number;
  /** Bytes of the answer that are read; none by default. */
  readonly readBytes?: number;
}

interface GuardedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Calls an address that a user entered, if it is an allowed target. */
const call = async (
  method: 'GET' | 'POST',
  { url, headers, reach, patienceMs, readBytes = 0 }: GuardedRequest,
  body?: Uint8Array,
): Promise<GuardedAnswer> => {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  // A socket does not call the resolver for an IP address, so check it here.
  if (isIP(hostname) !== 0 && !isWithin(reach, hostname)) throw new ForbiddenAddressError();
  if (url.protocol !== 'https:' && reach !== 'loopback') throw new ForbiddenAddressError();
  const {
    statusCode = 0,
    headers: answered,
    text,
  } = await headOf(
    url,
    {
      method,
      hostname,
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, ...(body && { 'content-length': body.byteLength }) },
      agent: false,
      lookup: guardedLookup(reach),
      signal: AbortSignal.timeout(patienceMs),
    },
    body,
    readBytes,
  );
  return { status: statusCode, retryAfter: answered['retry-after'], text };
};

/**
 * Posts to an address that a user entered. Allows only public addresses or, with the reach `loopback`, only this
 * machine. Does not follow redirects, and reads nothing of the body of the answer that is not asked for.
 *
 * @throws ForbiddenAddressError, or an error of the socket.
 */
export const guardedPost = ({
  body,
  ...request
}: GuardedRequest & { readonly body: Uint8Array }): Promise<GuardedAnswer> => call('POST', request, body);

/** Gets the beginning of a document at an address that a user entered, with the limits of {@link guardedPost}. */
export const guardedGet = (request: GuardedRequest): Promise<GuardedAnswer> => call('GET', request);
