import * as z from 'zod';
import { retryOnConflict } from '../numbered-list/retry.ts';
import type { Item } from '../table/attributes.ts';
import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Holder, whileHeld } from './users.ts';

/** The most devices of a user; a new one replaces the device seen longest ago. */
const MAX_DEVICES = 20;

const deviceSchema = z.object({
  push_key: z.string(),
  kind: z.enum(['fcm', 'web_push']),
  registered_at: z.string(),
  last_seen_at: z.string(),
});

const devicesSchema = z.object({
  /** Newest first; push keys are unique. */
  devices: z.array(deviceSchema),
  /** Changes with every write. */
  version: z.string(),
});

const claimSchema = z.object({ user_id: z.string() });

export type PushDevice = z.output<typeof deviceSchema>;
type Devices = z.output<typeof devicesSchema>;

/**
 * Lists the devices of a user, newest first. Omits devices that another user has registered since: the claim of a
 * push key decides to whom it belongs.
 */
export const listPushDevices = async (store: Store, userId: string): Promise<PushDevice[]> => {
  const held = await store.get(keys.pushRegistrations(userId), devicesSchema, { consistent: true });
  if (!held || held.devices.length === 0) return [];
  const claims = await store.getMany(
    held.devices.map(({ push_key }) => keys.pushKey(push_key)),
    { consistent: true },
  );
  return held.devices.filter(({ push_key }) => {
    const claim = itemWith(claims, keys.pushKey(push_key));
    return claimSchema.safeParse(claim).data?.user_id === userId;
  });
};

/** Returns whether a user has registered devices, given the stored item. */
export const hasPushDevices = (item: Item | undefined): boolean =>
  item !== undefined && parseItem(devicesSchema, item).devices.length > 0;

/** Adds or updates a device in a user's list, within its limit. */
const withDevice = (devices: readonly PushDevice[], device: PushDevice): PushDevice[] => {
  const before = devices.find(({ push_key }) => push_key === device.push_key);
  const others = devices.filter(({ push_key }) => push_key !== device.push_key);
  const dropped = [...others]
    .sort((a, b) => (a.last_seen_at < b.last_seen_at ? -1 : 1))
    .slice(0, Math.max(0, others.length - MAX_DEVICES + 1));
  const kept = others.filter((one) => !dropped.includes(one));
  return [
    { ...before, ...device, registered_at: before?.registered_at ?? device.registered_at },
    ...kept,
  ].sort((a, b) => (a.registered_at > b.registered_at ? -1 : 1));
};

const devicesWrite = (
  userId: string,
  devices: readonly PushDevice[],
  before: Devices | undefined,
  version: string,
): Write => ({
  put: {
    ...before,
    ...keys.pushRegistrations(userId),
    entity: 'push_registrations',
    devices: [...devices],
    version,
  },
  if: before
    ? { condition: 'version = :before', values: { ':before': before.version } }
    : { condition: 'attribute_not_exists(pk)' },
});

/**
 * Returns whether a device still belongs to a user. Another user may have registered it, it was removed, or a reset of
 * the password ended all devices.
 */
export const ownsPushDevice = async (store: Store, userId: string, pushKey: string): Promise<boolean> => {
  const [claim, held] = await store.getMany([keys.pushKey(pushKey), keys.pushRegistrations(userId)], {
    consistent: true,
  });
  if (!claim || parseItem(claimSchema, claim).user_id !== userId || !held) return false;
  return parseItem(devicesSchema, held).devices.some(({ push_key }) => push_key === pushKey);
};

/**
 * Removes a device of a user that accepts no more messages; no-op if it is gone or belongs to another user.
 *
 * @param version makes an identifier for a write.
 */
export const removePushDevice = (
  store: Store,
  userId: string,
  pushKey: string,
  version: () => string,
): Promise<void> =>
  retryOnConflict(async () => {
    const claimKey = keys.pushKey(pushKey);
    const [held, claimed] = await store.getMany([keys.pushRegistrations(userId), claimKey], {
      consistent: true,
    });
    if (!claimed || parseItem(claimSchema, claimed).user_id !== userId) return;
    const before = held && parseItem(devicesSchema, held);
    const left = before?.devices.filter(({ push_key }) => push_key !== pushKey);
    await store.transact([
      { delete: claimKey, if: { condition: 'user_id = :owner', values: { ':owner': userId } } },
      ...(left ? [devicesWrite(userId, left, before, version())] : []),
    ]);
  });

const ownedBy = (userId: string) => ({
  condition: 'attribute_not_exists(pk) OR user_id = :owner',
  values: { ':owner': userId },
});

/**
 * Registers a device of a user for push messages. If it belonged to another user, it no longer does: the last user
 * who signs in on a device gets its messages, the previous one gets none there.
 *
 * @param device `holder` is what the request came with.
 * @param version makes an identifier for a write.
 * @returns the registered device; undefined for an unknown user, or if the session has ended.
 * @throws ChangedMeanwhileError
 */
export const registerPushDevice = (
  store: Store,
  userId: string,
  { holder, ...device }: PushDevice & { readonly holder: Holder | undefined },
  version: () => string,
): Promise<PushDevice | undefined> =>
  retryOnConflict(async () => {
    const [held, claimed] = await store.getMany(
      [keys.pushRegistrations(userId), keys.pushKey(device.push_key)],
      { consistent: true },
    );
    const before = held && parseItem(devicesSchema, held);
    const owner = claimed && parseItem(claimSchema, claimed).user_id;
    const devices = withDevice(before?.devices ?? [], device);
    const isHeld: Write = { check: keys.user(userId), if: whileHeld(holder) };
    try {
      await store.transact([
        isHeld,
        devicesWrite(userId, devices, before, version()),
        {
          key: keys.pushKey(device.push_key),
          set: { entity: 'push_key', user_id: userId },
          if: ownedBy(owner ?? userId),
        },
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError && error.has(isHeld)) return undefined;
      throw error;
    }
    return devices.find(({ push_key }) => push_key === device.push_key);
  });
