import { type KeyRing, sameSecret } from './key-ring.ts';

const FORMAT = /^([0-9a-z]{1,10})-([\w-]{43})$/;

/** Purpose and subject of a link in a mail. The token ends with either. */
interface LinkSubject {
  readonly purpose: 'proof-link' | 'undo-link';
  readonly parts: readonly (string | number)[];
}

const inputOf = ({ parts }: LinkSubject, untilS: number): string => JSON.stringify([...parts, untilS]);

/** Returns the token of a link. Only the mail holds it: the table keeps nothing of it. */
export const linkTokenOf = (ring: KeyRing, subject: LinkSubject, until: Date): string => {
  const untilS = Math.floor(until.getTime() / 1000);
  return `${untilS.toString(36)}-${ring.mac(subject.purpose, inputOf(subject, untilS)).toString('base64url')}`;
};

/** Tells whether a token is that of a valid link of a subject, in a time that reveals nothing about it. */
export const isLinkToken = (ring: KeyRing, subject: LinkSubject, token: string, now: Date): boolean => {
  const [, digits = '', mac = ''] = FORMAT.exec(token) ?? [];
  const untilS = Number.parseInt(digits, 36);
  const isRight = ring
    .macs(subject.purpose, inputOf(subject, untilS || 0))
    .map((own) => sameSecret(own.toString('base64url'), mac))
    .includes(true);
  return isRight && untilS * 1000 > now.getTime();
};
