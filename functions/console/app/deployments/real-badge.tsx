import { Age } from '../ui/figures.tsx';
import { Tag } from '../ui/notice.tsx';
import { live } from '../updates.ts';

const WORDS = {
  off: 'Updates paused',
  connecting: 'Connecting…',
  on: 'Live updates',
  retrying: 'Connection lost, trying again',
  offline: 'Offline',
} as const;

/** After this time without an answer something is wrong: the service answers every ten seconds. */
const OLD_MS = 30_000;

/**
 * Tells whether changes arrive by themselves, and how old the last word of the service is. It says nothing about prices,
 * which have their own age, so it is never green.
 */
export const LiveBadge = () => {
  const { kind, heardAt } = live.value;
  return (
    <span class="row">
      <Tag kind={kind === 'retrying' || kind === 'offline' ? 'warn' : 'info'}>{WORDS[kind]}</Tag>
      {kind !== 'on' && heardAt !== undefined && <Age at={heardAt} oldMs={OLD_MS} />}
    </span>
  );
};
