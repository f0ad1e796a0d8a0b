/**
 * Replaces parts of the AWS SDK in the bundles; `lean-sdk.ts` lists the parts.
 */

import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Credentials in the form that the SDK expects of a provider. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Reads the credentials of the function's role from the environment, where Lambda puts them. Replaces the credential
 * chain, whose profiles, SSO, web identities and metadata service a function never uses.
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
 * Returns no configuration. Lambda has no files under `~/.aws`, and those of a developer must not change the behaviour
 * of a bundle. The SDK reads the environment (`AWS_REGION`, `AWS_ENDPOINT_URL_<SERVICE>`) elsewhere.
 */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

/** Replaces the region of an EC2 instance, which the SDK reads only without `AWS_REGION`. Lambda always sets it. */
export const getInstanceMetadataRegion = async (): Promise<undefined> => undefined;

/** Replaces the cache of endpoint discovery, which no client enables. */
export class EndpointCache {}

const leftOut = (): never => {
  throw new Error('this part of the AWS SDK is left out of the bundles');
};

/** Replaces the detection of browsers. */
export const createUserAgentStringParsingProvider = leftOut;

/** Replaces retries by `AWS_RETRY_MODE=adaptive`, which no function sets. */
export class AdaptiveRetryStrategy {
  constructor() {
    leftOut();
  }
}

/** Replaces the headers of event streams, which no client signs. */
export class HeaderFormatter {
  readonly format = leftOut;
}

/** Replaces the codec of event streams, which no used operation sends or returns. */
export class EventStreamSerde {
  constructor() {
    leftOut();
  }
}

export const eventStreamSerdeProvider = leftOut;

/** Replaces the buffer of requests in JSON. Its methods of a text only warn that they will be removed. */
export const JsonBytesStringAdapter = Buffer;

/** Returns no parts of the path. Only a prefix of the host is looked up here, which no used operation has. */
export const getHttpOperationBindings = ({ traits }: { readonly traits?: unknown }): readonly string[] =>
  typeof traits === 'object' && traits !== null && 'endpoint' in traits ? leftOut() : [];

/** Replaces the members of requests that are parts of the host, which no used operation has. */
export const HttpBindingNormalizedSchema = { of: leftOut };

/** Reads a date. Returns undefined without a value, as fields are optional. */
const readDate = (value: unknown, milliseconds: number): Date | undefined => {
  if (value === undefined || value === null) return undefined;
  if (!Number.isFinite(milliseconds)) throw new TypeError('the AWS SDK read an invalid date');
  return new Date(milliseconds);
};

/** Reads a date of RFC 3339. The SDK's own functions bring patterns and a calendar, which Node has, too. */
export const parseRfc3339DateTimeWithOffset = (value: unknown): Date | undefined =>
  readDate(value, Date.parse(String(value)));

/** Replaces the reader of dates without an offset, which no client calls. */
export const parseRfc3339DateTime = leftOut;

/** Reads a date of HTTP. One of its forms has no time zone, and is in UTC. */
export const parseRfc7231DateTime = (value: unknown): Date | undefined =>
  readDate(value, Date.parse(String(value).replace(/(?<! GMT)$/, ' GMT')));

/** Reads a time in seconds since 1970. */
export const parseEpochTimestamp = (value: unknown): Date | undefined =>
  readDate(value, Math.round(Number(value) * 1000));

/** Writes a date in the form of HTTP. */
export const dateToUtcString = (date: Date): string => date.toUTCString();

type Bytes = string | Uint8Array;

/** Keys of signatures, one for each day and service. Importing the bytes of a key costs more than signing. */
const signingKeys = new WeakMap<Uint8Array, KeyObject>();

const keyFrom = (secret: Bytes): string | KeyObject => {
  if (typeof secret === 'string') return secret;
  const known = signingKeys.get(secret);
  if (known) return known;
  const key = createSecretKey(secret);
  signingKeys.set(secret, key);
  return key;
};

/** The last HMAC with a text as its key. Before each call, the SDK computes the same one to look up its signing key. */
let lastOfText: { readonly secret: string; readonly data: Bytes; readonly digest: Uint8Array } | undefined;

const hmacOf = (secret: Bytes, data: Bytes): Uint8Array => {
  if (lastOfText?.secret === secret && lastOfText.data === data) return lastOfText.digest;
  const digest = createHmac('sha256', keyFrom(secret)).update(data).digest();
  if (typeof secret === 'string' && typeof data === 'string') lastOfText = { secret, data, digest };
  return digest;
};

/**
 * Computes SHA-256 and its HMAC for signatures of requests. The SDK's own class creates a native object for each hash
 * and copies it for the digest; this one hashes a text of one part in one call.
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

/** Returns the length of a body. The SDK's own function also measures files and loads Node's file streams for it. */
export const calculateBodyLength = (body: Bytes | undefined): number => {
  if (!body) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (typeof body.byteLength === 'number') return body.byteLength;
  throw new Error('only texts and bytes are sent here');
};

/**
 * Collects the bytes of a response. The SDK's own function checks for a web stream, which loads Node's web streams, and
 * pipes the bytes through a further stream.
 */
export const streamCollector = (stream: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    stream.on('data', (part: Uint8Array) => parts.push(part));
    stream.on('error', reject);
    stream.once('end', () => resolve(Buffer.concat(parts)));
  });
