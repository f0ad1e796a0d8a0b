import type { Visibility } from './texts.ts';

const NEXT = 'Changing rules, symbols or timeframe begins a new one; the old one stays visible.';
const BEGUN = `From now on the hub keeps a record of these rules; it cannot be paused or edited. ${NEXT}`;

interface Change {
  readonly from: Visibility;
  readonly to: Visibility;
  readonly hasRules: boolean;
}

const hasRecord = (visibility: Visibility): boolean => visibility === 'profile' || visibility === 'explore';

/** Says what another visibility does to the track record of a strategy; undefined if nothing. */
export const recordEffect = ({ from, to, hasRules }: Change): string | undefined => {
  if (hasRecord(from) === hasRecord(to)) return undefined;
  if (!hasRules) {
    return hasRecord(to)
      ? 'Without rules the hub keeps no record. Others see the figures of all your deployments since the publication, as reported by you and not verified.'
      : undefined;
  }
  return hasRecord(to)
    ? BEGUN
    : 'The record is hidden from others, and stays in the list of records on your profile. Publishing the same rules again goes on with it, the time between included.';
};

/** Says what saving rules does to the track record of a strategy; undefined if nothing. */
export const rulesEffect = (visibility: Visibility, hadRules: boolean): string | undefined => {
  if (!hasRecord(visibility)) return undefined;
  return hadRules ? `The hub keeps a record of this published strategy. ${NEXT}` : `Once saved: ${BEGUN}`;
};
