import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { type Switch, type Switches, switchKeys } from './switches.ts';

/** Returns the condition that a switch is as it was read. */
export const unchanged = (before: Switch | undefined) =>
  before
    ? { condition: 'rev = :rev', values: { ':rev': before.rev } }
    : { condition: 'attribute_not_exists(pk)' };

/**
 * Returns checks for the transaction that lets a deployment trade: no switch of its scope may have changed since it was
 * read. So no deployment slips past a throw, and the halting of a throw finds all of them.
 */
export const switchChecks = (switches: Switches): Write[] => {
  const { scope, user, broker, service } = switches;
  const found = [service, ...(scope.broker_id === undefined ? [] : [broker]), user];
  return switchKeys(scope).map((key, index) => ({ check: key, if: unchanged(found[index]) }));
};

/**
 * Returns the check for the transaction of an order: the switch of the user may not have changed since it was read. The
 * switches of broker and service are left out: orders of many users would conflict on them, and delay a throw.
 */
export const userSwitchCheck = ({ scope, user }: Switches): Write => ({
  check: keys.userSwitch(scope.user_id),
  if: unchanged(user),
});

/** Returns the check that nobody holds the switch of a broker, for a transaction that did not read it. */
export const armedBrokerCheck = (brokerId: number): Write => ({
  check: keys.brokerSwitch(brokerId),
  if: {
    condition: 'attribute_not_exists(pk) OR size(#holds) = :none',
    names: { '#holds': 'holds' },
    values: { ':none': 0 },
  },
});
