import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import type { Response, TestHub } from './hub.ts';

/** An authenticator in software, in the forms of WebAuthn that browsers send. */

type Encodable = number | string | Buffer | ReadonlyMap<number | string, Encodable>;

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.of((major << 5) | value);
  if (value < 256) return Buffer.of((major << 5) | 24, value);
  const bytes = Buffer.alloc(3);
  bytes.writeUInt8((major << 5) | 25);
  bytes.writeUInt16BE(value, 1);
  return bytes;
};

/** Encodes a value as CBOR (RFC 8949). */
const encode = (value: Encodable): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, each]) => [encode(key), encode(each)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
};

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

const PRESENT = 0x01;
const VERIFIED = 0x04;
const SYNCED = 0x18;
const ATTESTED = 0x40;

interface Options {
  readonly challenge: string;
}

/** Deviations from an honest use. */
interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** False for a use without a fingerprint or PIN. */
  readonly verified?: boolean;
}

export class Authenticator {
  readonly #origin: string;
  readonly #rpId: string;
  readonly #privateKey: KeyObject;
  readonly #cose: Buffer;
  readonly #id = randomBytes(32);
  readonly #counts: boolean;
  #handle = '';
  #counter = 0;

  /** @param counts false for a passkey that is synchronized between devices. */
  constructor(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
    this.#origin = origin;
    this.#rpId = new URL(origin).hostname;
    this.#counts = counts;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    const coordinates = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'));
    this.#cose = encode(
      new Map<number, Encodable>([
        [1, 2],
        [3, -7],
        [-1, 1],
        ...coordinates.map((bytes, index): [number, Encodable] => [-2 - index, bytes]),
      ]),
    );
  }

  get id(): string {
    return text(this.#id);
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Deviation): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(flags: number, { rpId = this.#rpId, counter, verified = true }: Deviation): Buffer {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter ?? (this.#counts ? ++this.#counter : 0));
    const all = flags | PRESENT | (verified ? VERIFIED : 0) | (this.#counts ? 0 : SYNCED);
    return Buffer.concat([sha256(rpId), Buffer.of(all), counted]);
  }

  /** Makes the passkey for the options of a registration. */
  make(options: Options & { readonly user: { readonly id: string } }, deviation: Deviation = {}) {
    this.#handle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = [Buffer.alloc(16), length, this.#id, this.#cose];
    const authData = Buffer.concat([this.#data(ATTESTED, deviation), ...credential]);
    const attestation = new Map<string, Encodable>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', options, deviation)),
        attestationObject: text(encode(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** Uses the passkey for the options of a sign-in or a step-up. */
  use(options: Options, deviation: Deviation = {}) {
    const clientData = this.#clientData('webauthn.get', options, deviation);
    const authData = this.#data(0, deviation);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(signature),
        userHandle: this.#handle,
      },
    };
  }
}

interface Person {
  readonly user_id: string;
  readonly access_token: string;
}

/** Asks for the options of a passkey. */
export const passkeyOptions = async (
  hub: TestHub,
  purpose: 'sign_in' | 'step_up' | 'register',
  who?: Person,
): Promise<Response> =>
  hub.call('POST /passkey_options', {
    json: { for: purpose },
    headers: who ? { authorization: `Bearer ${who.access_token}` } : {},
  });

/** Makes an authenticator for the site of a hub. */
export const authenticatorFor = (
  { runtime }: TestHub,
  options?: { readonly counts?: boolean },
): Authenticator => new Authenticator(new URL(runtime.settings.HUB_PUBLIC_URL).origin, options);

/** Adds a passkey to a user, whose session must be stepped up. */
export const addPasskey = async (hub: TestHub, who: Person): Promise<Authenticator> => {
  const key = authenticatorFor(hub);
  const passkey = key.make((await passkeyOptions(hub, 'register', who)).body.options);
  const added = await hub.call('POST /add_passkey', {
    query: { user_id: who.user_id },
    headers: { authorization: `Bearer ${who.access_token}` },
    json: { passkey, name: 'Laptop' },
  });
  if (added.status !== 200) throw new Error(`the passkey was not added: ${added.text}`);
  return key;
};

/** Signs in with a passkey. */
export const signInWithPasskey = async (hub: TestHub, key: Authenticator): Promise<Response> =>
  hub.call('POST /sign_in_passkey', {
    json: { passkey: key.use((await passkeyOptions(hub, 'sign_in')).body.options) },
  });
