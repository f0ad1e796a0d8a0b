import * as z from 'zod';
import { countItems } from '../table/scan.ts';
import type { Store } from '../table/store.ts';
import { REFERRED } from '../users/users.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const KIND = 'referred_count';

const referralSchema = z.object({
  referred_count: z.number(),
  /** Referrals from before they became items. Absent until the first round that finds the code. */
  unlisted_count: z.number().optional(),
});

/** Checks and corrects the number of users who registered with a referral code, by the items of these users. */
export const reconcileReferrals = async (store: Store, pk: string, tally: Tally): Promise<void> => {
  const key = { pk, sk: 'REFERRAL' };
  const measure = async () => {
    const referral = await store.get(key, referralSchema, { consistent: true });
    if (!referral) return undefined;
    // A registration in between changes the count, which guards the correction.
    const listed = await countItems(store, pk, REFERRED);
    const { referred_count: was, unlisted_count: unlisted } = referral;
    if (unlisted === undefined) return { was, is: was, unlisted: Math.max(0, was - listed), isNew: true };
    const is = listed + unlisted;
    return was === is ? undefined : { was, is, unlisted, isNew: false };
  };
  tally.add(KIND, 'checked');
  let finding: string | undefined;
  const outcome = await repaired({
    store,
    measure,
    same: (one, other) => one.was === other.was && one.is === other.is && one.unlisted === other.unlisted,
    writes: (_, { was, is, unlisted, isNew }) => {
      finding = isNew ? undefined : `${pk} was ${was}, is ${is}`;
      return [
        {
          key,
          update: 'SET referred_count = :is, unlisted_count = :unlisted',
          condition: 'referred_count = :was',
          values: { ':was': was, ':is': is, ':unlisted': unlisted },
        },
      ];
    },
  });
  if (outcome === 'busy' || finding !== undefined)
    tally.add(KIND, outcome === 'busy' ? 'busy' : 'repaired', finding);
};
