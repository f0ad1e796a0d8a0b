import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { budgetOf, spend } from '../../../shared/data/table/budgets.ts';

/** Client application, approved broker or identity provider that vouches for a registration. */
type Voucher = readonly [kind: 'client' | 'broker' | 'provider', name: string];

/**
 * Counts a registration for the one who vouches for it, otherwise for the wide network of the caller, which may register 100
 * an hour. One call, before the costly hash of the password; none for callers on this machine.
 *
 * @throws HubError rate_limited
 */
export const countRegistration = async (call: Call, voucher?: Voucher): Promise<void> => {
  const { store, now, wideNetwork } = call;
  const subject = voucher ?? (wideNetwork === undefined ? undefined : [wideNetwork]);
  if (!subject) return;
  const limit = voucher ? 'register_vouched' : 'register_network';
  const budget = budgetOf(await call.keyRing(), limit, subject, now);
  if (await spend(store, budget)) return;
  throw new HubError('rate_limited', 'Too many registrations from your network. Wait before the next.', {
    retryAfterS: (budget.endsAt - now.getTime()) / 1000,
  });
};
