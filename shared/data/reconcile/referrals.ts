import * as z from 'zod';
import { countItems } from '../table/scan.ts';
import type { Store } from '../table/store.ts';
import { REFERRED } from '../users/users.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const KIND = 'referred_count';

const referralSchema = z.object({
  referred_count: z.number(),
  /** Referred users whose accounts, and so whose items, were deleted. */
  unlisted_count: z.number(),
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
    const is = listed + unlisted;
    return was === is ? undefined : { was, is };
  };
  tally.add(KIND, 'checked');
  let finding: string | undefined;
  const outcome = await repaired({
    store,
    measure,
    same: (one, other) => one.was === other.was && one.is === other.is,
    writes: (_, { was, is }) => {
      finding = `${pk} was ${was}, is ${is}`;
      return [
        {
          key,
          update: 'SET referred_count = :is',
          condition: 'referred_count = :was',
          values: { ':was': was, ':is': is },
        },
      ];
    },
  });
  if (outcome === 'busy' || finding !== undefined)
    tally.add(KIND, outcome === 'busy' ? 'busy' : 'repaired', finding);
};
