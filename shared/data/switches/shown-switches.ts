import type { Item } from '../table/attributes.ts';
import { DamagedItemError, type OnDamaged } from '../table/damaged-items.ts';
import type { Items } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';
import { salvagedSwitch, unreadableHold } from './salvaged-switch.ts';
import { copyAt, switchName, switchOwner } from './switch-changes.ts';
import {
  brokerHolder,
  holdingBrokers,
  type Switch,
  type Switches,
  type SwitchLevel,
  type SwitchScope,
  serviceKey,
} from './switches.ts';

/** Time of a read, and the taker of its errors. */
interface Reading {
  readonly now: Date;
  readonly onDamaged: OnDamaged;
}

/** Returns a damaged switch as one that stops all orders of its level, with the holds that can be read. */
const damagedSwitch = (item: Item, level: SwitchLevel, holders: readonly string[], now: Date): Switch => {
  const owner = switchOwner(level);
  const { stored } = salvagedSwitch(item, [owner, 'operator', ...holders], now);
  const isOfBrokers = holdingBrokers(stored).length === Object.keys(stored.holds).length;
  return isOfBrokers ? { ...stored, holds: { [owner]: unreadableHold(now), ...stored.holds } } : stored;
};

/**
 * Finds a switch to show among items that were read together; undefined if it was never thrown. While a switch is damaged, no
 * order leaves, so it is shown as thrown.
 *
 * @param holders others who may hold the switch, if its holders are lost.
 */
export const shownSwitch = (
  items: Items,
  key: Key,
  level: SwitchLevel,
  { now, onDamaged }: Reading,
  holders: readonly string[] = [],
): Switch | undefined => {
  const { stored, damage } = copyAt(items, key);
  if (!damage) return stored;
  onDamaged(new DamagedItemError(`${switchName(level)} cannot be read`, damage.error, damage.item));
  return damagedSwitch(damage.item, level, holders, now);
};

/** Finds the switches of a scope to show, as {@link shownSwitch} does, among items that were read with {@link switchKeys}. */
export const shownSwitches = (items: Items, scope: SwitchScope, reading: Reading): Switches => {
  const { user_id, broker_id } = scope;
  const isAtBroker = broker_id !== undefined;
  const holders = isAtBroker ? [brokerHolder(broker_id)] : [];
  return {
    scope,
    user: shownSwitch(items, keys.userSwitch(user_id), 'user', reading, holders),
    broker: isAtBroker ? shownSwitch(items, keys.brokerSwitch(broker_id), 'broker', reading) : undefined,
    service: shownSwitch(items, serviceKey(user_id), 'service', reading),
  };
};
