import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

/** DER prefix of the 32 bytes of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Public key as a JSON Web Key (RFC 8037). */
export interface PublishedKey {
  readonly kty: 'OKP';
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

interface Generation {
  readonly master: string;
  readonly signing: SigningKey;
  readonly publicKey: KeyObject;
}

const derive = (master: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, 'strategy-hub', purpose, 32));

/** Computes the thumbprint of RFC 7638 over the required members of the key, in lexical order. */
const thumbprint = (publicKey: KeyObject): string => {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
};

const generation = (master: string): Generation => {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, derive(master, 'sign')]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  return { master, signing: { kid: thumbprint(publicKey), privateKey }, publicKey };
};

/**
 * Derives all keys of the service from one master secret: a key per purpose by HKDF-SHA-256 (RFC 5869), and an Ed25519
 * pair for tokens. After a rotation, the previous master still verifies its signatures.
 */
export class KeyRing {
  readonly #generations: readonly Generation[];

  /** @param masters the current master secret, then the previous one if there is one. */
  constructor(masters: readonly [string, ...string[]]) {
    this.#generations = masters.map(generation);
  }

  get #current(): Generation {
    const [current] = this.#generations;
    if (!current) throw new Error('a key ring needs at least one master secret');
    return current;
  }

  /** Key that signs new tokens. */
  get signing(): SigningKey {
    return this.#current.signing;
  }

  /** Returns the public key with an id; undefined if its master is older than the previous one. */
  verifying(kid: string | undefined): KeyObject | undefined {
    return this.#generations.find(({ signing }) => signing.kid === kid)?.publicKey;
  }

  /** Public keys of the current and the previous master, in the format of a JSON Web Key Set. */
  get published(): PublishedKey[] {
    return this.#generations.map(({ signing: { kid }, publicKey }) => {
      const { crv = '', x = '' } = publicKey.export({ format: 'jwk' });
      return { kty: 'OKP', crv, x, kid, alg: 'EdDSA', use: 'sig' };
    });
  }

  /** Computes a MAC (HMAC-SHA-256) with the current key of a purpose. */
  mac(purpose: string, data: string | Uint8Array): Buffer {
    return createHmac('sha256', derive(this.#current.master, purpose)).update(data).digest();
  }

  /** Computes the MACs with the current and the previous key of a purpose. A valid MAC equals one of them. */
  macs(purpose: string, data: string): Buffer[] {
    return this.#generations.map(({ master }) =>
      createHmac('sha256', derive(master, purpose)).update(data).digest(),
    );
  }
}

/** Computes the SHA-256 that is stored for a secret. Only for secrets with high entropy. */
export const fingerprint = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

/** Compares two strings in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
