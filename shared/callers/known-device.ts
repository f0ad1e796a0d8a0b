import type { Call } from '../api/call.ts';
import { readCookie, writeCookie } from '../api/cookies.ts';
import { type KeyRing, sameSecret } from '../auth/key-ring.ts';
import { normaliseEmail } from '../data/table/keys.ts';

/** Browsers keep a cookie for at most 400 days. */
const LIFETIME_DAYS = 400;
const DAY_S = 24 * 3600;
/** Maximum number of accounts per device. The oldest is dropped. */
const MAX_ACCOUNTS = 5;
const PROOF_BYTES = 16;

/** `<device>.<proof>.<proof>…`, with a proof `<day>-<MAC>` per account, newest first. */
const FORMAT = /^([\w-]{22})((?:\.\d{1,6}-[\w-]{22}){1,5})$/;

/** Account of a known device. A password reset changes the version, so that no device is known any more. */
interface Account {
  readonly email: string;
  readonly passwordVersion: number;
}

interface Device {
  readonly id: string;
  readonly proofs: readonly string[];
}

const parse = (value: string | undefined): Device | undefined => {
  const [, id, proofs] = FORMAT.exec(value ?? '') ?? [];
  return id && proofs ? { id, proofs: proofs.slice(1).split('.') } : undefined;
};

const dayOf = (now: Date): number => Math.floor(now.getTime() / 1000 / DAY_S);

const inputOf = (id: string, { email, passwordVersion }: Account, day: number): string =>
  JSON.stringify([id, normaliseEmail(email), passwordVersion, day]);

const proofOf = (mac: Buffer, day: number): string =>
  `${day}-${mac.subarray(0, PROOF_BYTES).toString('base64url')}`;

const proves = (ring: KeyRing, id: string, account: Account, proof: string, today: number): boolean => {
  const day = Number(proof.split('-', 1).join(''));
  if (day > today || day <= today - LIFETIME_DAYS) return false;
  const ours = ring
    .macs('device', inputOf(id, account, day))
    .map((mac) => sameSecret(proofOf(mac, day), proof));
  return ours.includes(true);
};

/** Returns the id in the device cookie. Do not trust it unless {@link isKnownDevice} returns true. */
export const claimedDevice = (call: Call): string | undefined => parse(readCookie(call, 'device'))?.id;

/** Tells whether the device of a request has signed in to an account before. */
export const isKnownDevice = async (call: Call, account: Account): Promise<boolean> => {
  const device = parse(readCookie(call, 'device'));
  if (!device) return false;
  const ring = await call.keyRing();
  const today = dayOf(call.now);
  return device.proofs.some((proof) => proves(ring, device.id, account, proof, today));
};

/** Tells whether the device of a request has signed in to other accounts only. */
export const isOtherDevice = async (call: Call, account: Account): Promise<boolean> =>
  claimedDevice(call) !== undefined && !(await isKnownDevice(call, account));

/** Adds a proof to the device cookie that the device has signed in to an account. The cookie does not name the account. */
export const rememberDevice = async (call: Call, account: Account): Promise<void> => {
  const ring = await call.keyRing();
  const today = dayOf(call.now);
  const device = parse(readCookie(call, 'device')) ?? {
    id: call.random(PROOF_BYTES).toString('base64url'),
    proofs: [],
  };
  const others = device.proofs.filter((proof) => !proves(ring, device.id, account, proof, today));
  const proof = proofOf(ring.mac('device', inputOf(device.id, account, today)), today);
  const value = [device.id, proof, ...others.slice(0, MAX_ACCOUNTS - 1)].join('.');
  writeCookie(call, 'device', value, LIFETIME_DAYS * DAY_S);
};
