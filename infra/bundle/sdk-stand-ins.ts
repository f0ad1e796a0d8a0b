/**
 * Replaces parts of the AWS SDK in the bundles; `lean-sdk.ts` lists the parts.
 */

import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';

/** The credentials that the SDK asks a provider for. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * The credential chain. Lambda hands a function its role's credentials in the environment and renews
 * them by renewing the execution environment: profiles, SSO, web identities and the metadata service
 * are code that every cold start would parse for nothing.
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('the environment holds no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};

/**
 * The files under `~/.aws`: Lambda has none, and a developer's must not change what the same bundle
 * does. What the environment says (`AWS_REGION`, `AWS_ENDPOINT_URL_<SERVICE>`) is read elsewhere.
 */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

/** The region of an EC2 instance, asked for where `AWS_REGION` is not set; Lambda always sets it. */
export const getInstanceMetadataRegion = async (): Promise<undefined> => undefined;

/** The endpoints that DynamoDB tells clients which turned endpoint discovery on. No client does. */
export class EndpointCache {}

const leftOut = (): never => {
  throw new Error('this part of the AWS SDK is left out of the bundles');
};

/** Finds out which browser it runs in. */
export const createUserAgentStringParsingProvider = leftOut;

type Bytes = string | Uint8Array;

/** The keys of signatures, one for a day and service: taking in the bytes of a key costs more than signing. */
const signingKeys = new WeakMap<Uint8Array, KeyObject>();

const keyFrom = (secret: Bytes): string | KeyObject => {
  if (typeof secret === 'string') return secret;
  const known = signingKeys.get(secret);
  if (known) return known;
  const key = createSecretKey(secret);
  signingKeys.set(secret, key);
  return key;
};

/** The last HMAC under a text: before each call, the SDK takes that of the same credentials to find its key by. */
let lastOfText: { readonly secret: string; readonly data: Bytes; readonly digest: Uint8Array } | undefined;

const hmacOf = (secret: Bytes, data: Bytes): Uint8Array => {
  if (lastOfText?.secret === secret && lastOfText.data === data) return lastOfText.digest;
  const digest = createHmac('sha256', keyFrom(secret)).update(data).digest();
  if (typeof secret === 'string' && typeof data === 'string') lastOfText = { secret, data, digest };
  return digest;
};

/**
 * SHA-256 and its HMAC, as requests are signed with. The SDK's own makes a native object for each hash and
 * copies it for its digest; a text that is there as a whole is hashed in one call.
 */
export class Sha256Node {
  readonly #secret: Bytes | undefined;
  #parts: Bytes[] = [];

  constructor(secret?: Bytes) {
    this.#secret = secret;
  }

  update(data: Bytes): void {
    this.#parts.push(data);
  }

  reset(): void {
    this.#parts = [];
  }

  async digest(): Promise<Uint8Array> {
    const [first = '', ...more] = this.#parts;
    const data = more.length === 0 ? first : Buffer.concat(this.#parts.map((part) => Buffer.from(part)));
    if (this.#secret === undefined) return hash('sha256', data, 'buffer');
    return hmacOf(this.#secret, data);
  }
}

/**
 * The log of calls, which no client here is given. Without one it still copies every input and output to
 * leave out what is sensitive: a tenth of the CPU of a call, more with every item of a page.
 */
export const getLoggerPlugin = () => ({ applyToStack: () => undefined });

export const loggerMiddleware = leftOut;

export const loggerMiddlewareOptions = {};

/** Returns the length of a body. The SDK's own function also measures files and loads Node's file streams for it. */
export const calculateBodyLength = (body: Bytes | undefined): number => {
  if (!body) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (typeof body.byteLength === 'number') return body.byteLength;
  throw new Error('only texts and bytes are sent here');
};

/**
 * The bytes of a response. The SDK's own asks whether they are a stream of the web, which loads all of those,
 * and pipes them through one more stream.
 */
export const streamCollector = (stream: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    stream.on('data', (part: Uint8Array) => parts.push(part));
    stream.on('error', reject);
    stream.once('end', () => resolve(Buffer.concat(parts)));
  });
