import type { KeyRing } from './key-ring.ts';
import { isLinkToken, linkTokenOf } from './link-tokens.ts';

/** Change of an e-mail that a link undoes. */
export interface LinkedChange {
  readonly userId: string;
  readonly changeId: string;
}

const subjectOf = ({ userId, changeId }: LinkedChange) => ({
  purpose: 'undo-link' as const,
  parts: [userId, changeId],
});

/** Returns the token of a link that undoes a change of the e-mail. */
export const undoTokenOf = (ring: KeyRing, change: LinkedChange, until: Date): string =>
  linkTokenOf(ring, subjectOf(change), until);

/** Tells whether a token is that of a valid link for a change. */
export const isUndoToken = (ring: KeyRing, change: LinkedChange, token: string, now: Date): boolean =>
  isLinkToken(ring, subjectOf(change), token, now);
