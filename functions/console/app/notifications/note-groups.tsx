import { useState } from 'preact/hooks';
import type { UserDeploymentNotificationsCustomOut } from '../../../../infra/client/package/src/index.ts';
import { countText } from '../count-text.ts';
import { format } from '../format.ts';
import { useStrategyNames } from '../strategies/strategy-name.tsx';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/notice.tsx';
import { groupsOf, type NoteGroup } from './groups.ts';
import { NoteRow } from './note-row.tsx';

const TYPES = { live: 'Trading', notification: 'Signals', scanner: 'Scanner' } as const;

/** Notifications of a group that are shown at once. */
const SHOWN = 5;

const Group = ({ group, name }: { readonly group: NoteGroup; readonly name: string }) => {
  const [isWhole, setWhole] = useState(false);
  const { notes, day, deploymentId, type, unread } = group;
  const shown = isWhole ? notes : notes.slice(0, SHOWN);
  return (
    <li class="card note-group">
      <div class="row row-apart">
        <h2>{deploymentId === null ? name : <a href={`#/deployments/${deploymentId}`}>{name}</a>}</h2>
        <span class="row">
          {deploymentId !== null && <span class="muted">{TYPES[type]}</span>}
          {unread > 0 && <Tag>{format.count(unread)} new</Tag>}
          <span class="muted">{day}</span>
        </span>
      </div>
      <ul class="notes">
        {shown.map((note) => (
          <NoteRow key={note.notification_id} note={note} />
        ))}
      </ul>
      {notes.length > SHOWN && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${countText(notes.length - SHOWN, 'more', 'more')}`}
          <span class="unseen"> of {name}</span>
        </Button>
      )}
    </li>
  );
};

/** Notifications by deployment and day of arrival, the newest first. */
export const NoteGroups = ({
  notes,
}: {
  readonly notes: readonly UserDeploymentNotificationsCustomOut[];
}) => {
  const names = useStrategyNames(notes.map(({ strategy_id }) => strategy_id));
  const nameOf = ({ strategyId, deploymentId }: NoteGroup): string => {
    if (strategyId === null) return deploymentId === null ? 'Your account' : 'Deployment';
    return names.get(strategyId) ?? 'Deployment';
  };
  return (
    <ul class="note-groups">
      {groupsOf(notes, (moment) => format.day(moment).text).map((group) => (
        <Group key={group.key} group={group} name={nameOf(group)} />
      ))}
    </ul>
  );
};
