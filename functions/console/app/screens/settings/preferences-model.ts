import type {
  NotificationPreferences,
  NotificationPreferencesIn,
} from '../../../../../infra/client/package/src/index.ts';

/** Channels that an owner can switch. */
export const CHANNELS = [
  { name: 'push', label: 'Push' },
  { name: 'email', label: 'E-mail' },
  { name: 'sms', label: 'Text message' },
] as const;

export type Channel = (typeof CHANNELS)[number]['name'];

type Group = NotificationPreferences['groups'][number];

/** Quiet hours as edited. */
export interface QuietDraft {
  readonly isOn: boolean;
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
}

/** Preferences as edited. */
export interface PreferencesDraft {
  readonly groups: readonly Pick<Group, 'group' | Channel>[];
  readonly quiet: QuietDraft;
}

/** Starts editing. Quiet hours that are off begin with a night in the user's time zone. */
export const draftOf = (
  { groups, quiet_hours: quiet }: NotificationPreferences,
  timeZone: string,
): PreferencesDraft => ({
  groups: groups.map(({ group, push, email, sms }) => ({ group, push, email, sms })),
  quiet: quiet ? { isOn: true, ...quiet } : { isOn: false, from: '22:00', to: '07:00', time_zone: timeZone },
});

/** Switches a channel of a group. */
export const withChannel = (
  draft: PreferencesDraft,
  group: string,
  channel: Channel,
  isOn: boolean,
): PreferencesDraft => ({
  ...draft,
  groups: draft.groups.map((one) => (one.group === group ? { ...one, [channel]: isOn } : one)),
});

/** Returns what an edit changes; undefined for nothing. */
export const changesOf = (
  before: NotificationPreferences,
  { groups, quiet }: PreferencesDraft,
): NotificationPreferencesIn | undefined => {
  const changed = groups.flatMap(({ group, ...channels }) => {
    const held = before.groups.find((one) => one.group === group);
    const moved = CHANNELS.filter(({ name }) => held?.[name] !== channels[name]);
    return moved.length === 0
      ? []
      : [[group, Object.fromEntries(moved.map(({ name }) => [name, channels[name]]))] as const];
  });
  const { isOn, ...hours } = quiet;
  const now = isOn ? hours : null;
  const held = before.quiet_hours;
  const isQuietChanged =
    now === null || held === null
      ? now !== held
      : now.from !== held.from || now.to !== held.to || now.time_zone !== held.time_zone;
  if (changed.length === 0 && !isQuietChanged) return undefined;
  return {
    ...(changed.length > 0 && { groups: Object.fromEntries(changed) }),
    ...(isQuietChanged && { quiet_hours: now }),
  };
};

/** Returns the error of quiet hours; undefined if they can be saved. */
export const quietProblem = ({ isOn, from, to }: QuietDraft): string | undefined => {
  if (!isOn) return undefined;
  if (from === '' || to === '') return 'Enter both times.';
  return from === to ? 'The two times must differ.' : undefined;
};
