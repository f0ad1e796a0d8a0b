import { useState } from 'preact/hooks';
import type { NotificationPreferences } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select, useControl } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKept } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { MailNotices } from './mail-notices.tsx';
import { CHANNELS, changesOf, draftOf, quietProblem, withChannel } from './preferences-model.ts';
import { profileOf } from './profile.ts';
import { groupText } from './texts.ts';

const zoneOfBrowser = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const zones = (chosen: string): readonly { readonly value: string; readonly label: string }[] =>
  [...new Set([chosen, zoneOfBrowser(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));

const TimeInput = ({
  value,
  onValue,
}: {
  readonly value: string;
  readonly onValue: (text: string) => void;
}) => (
  <input
    {...useControl()}
    type="time"
    value={value}
    onInput={({ currentTarget }) => onValue(currentTarget.value)}
  />
);

const DRAFTS = keptValues<ReturnType<typeof draftOf>>();

interface FormProps {
  readonly before: NotificationPreferences;
  readonly onSaved: (preferences: NotificationPreferences) => void;
}

const PreferencesForm = ({ before, onSaved }: FormProps) => {
  const [draft, setDraft] = useKept(DRAFTS, 'preferences', () => draftOf(before, zoneOfBrowser()));
  const [isSaved, setSaved] = useState(false);
  const { quiet } = draft;
  const changes = changesOf(before, draft);
  const problem = quietProblem(quiet);
  const save = useAction(async () => {
    if (!changes) return;
    onSaved(await hub.setNotificationPreferences({ user_id: ME, body: changes }));
    setSaved(true);
  });
  const change = (next: typeof draft): void => {
    setDraft(next);
    setSaved(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) void save.run();
      }}
    >
      <p>Every notification is in your list here. Choose which also leave by another way.</p>
      <div class="preference-groups">
        {draft.groups.map((row) => (
          <fieldset key={row.group} class="preference-group">
            <legend>{groupText(row.group).label}</legend>
            <p class="field-hint">{groupText(row.group).hint}</p>
            <div class="row">
              {CHANNELS.map(({ name, label }) => (
                <Checkbox
                  key={name}
                  checked={row[name]}
                  onChecked={(isOn) => change(withChannel(draft, row.group, name, isOn))}
                >
                  {label}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <fieldset class="preference-group">
        <legend>Quiet hours</legend>
        <p class="field-hint">Nothing is pushed or texted in this time, except security.</p>
        <Checkbox checked={quiet.isOn} onChecked={(isOn) => change({ ...draft, quiet: { ...quiet, isOn } })}>
          Keep quiet hours
        </Checkbox>
        {quiet.isOn && (
          <div class="row">
            <Field label="From" error={problem}>
              <TimeInput
                value={quiet.from}
                onValue={(from) => change({ ...draft, quiet: { ...quiet, from } })}
              />
            </Field>
            <Field label="To">
              <TimeInput value={quiet.to} onValue={(to) => change({ ...draft, quiet: { ...quiet, to } })} />
            </Field>
            <Field label="Time zone">
              <Select
                value={quiet.time_zone}
                options={zones(quiet.time_zone)}
                onValue={(zone) => change({ ...draft, quiet: { ...quiet, time_zone: zone } })}
              />
            </Field>
          </div>
        )}
      </fieldset>
      <Problem of={save.error} />
      {isSaved && <Notice kind="good">Saved.</Notice>}
      <div class="actions">
        <Button
          submit
          kind="primary"
          busy={save.isBusy}
          disabled={changes === undefined || problem !== undefined}
        >
          Save
        </Button>
      </div>
    </form>
  );
};

/** Ways by which notifications leave, and quiet hours. */
export const Preferences = () => {
  const [saved, setSaved] = useState<NotificationPreferences>();
  const preferences = useResource(
    (signal) => hub.getNotificationPreferences({ user_id: ME }, { signal }),
    [],
  );
  const profile = useResource(async (signal) => profileOf(await hub.verifyUser({}, { signal })), []);
  return (
    <section class="card" aria-labelledby="preferences-title">
      <h2 id="preferences-title">Ways of notifications</h2>
      <MailNotices profile={profile.value} groups={(saved ?? preferences.value)?.groups} />
      <Loaded of={preferences}>
        {(loaded) => <PreferencesForm before={saved ?? loaded} onSaved={setSaved} />}
      </Loaded>
    </section>
  );
};
