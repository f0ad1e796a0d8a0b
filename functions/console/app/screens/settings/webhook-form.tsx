import { useState } from 'preact/hooks';
import { HubApiError, type Webhook } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { useKept } from '../../ui/use-kept.ts';
import { useOnce } from '../../ui/use-once.ts';
import { eventText } from './texts.ts';
import { WebhookDeployments } from './webhook-deployments.tsx';
import { draftProblem, EVENTS, toggled, webhookChanges, webhookDraft, webhookOf } from './webhook-model.ts';

const DRAFTS = keptValues<ReturnType<typeof webhookDraft>>();

interface WebhookFormProps {
  /** Webhook to change; a new one without it. */
  readonly webhook?: Webhook;
  /** Gets the secret of a new webhook. */
  readonly onDone: (secret?: string) => void;
}

/** Tells whether a webhook was added and its secret was in an answer that was lost. */
const isShownOnce = (error: unknown): boolean =>
  error instanceof HubApiError && error.code === 'answer_shown_once';

/** Asks for the address, events and deployments of a webhook. */
export const WebhookForm = ({ webhook, onDone }: WebhookFormProps) => {
  const [before] = useState(() => webhookDraft(webhook));
  const [draft, setDraft] = useKept(DRAFTS, webhook?.endpoint_id ?? '', () => before);
  const change = (part: Partial<typeof draft>): void => setDraft((held) => ({ ...held, ...part }));
  const changes = webhookChanges(before, draft);
  const once = useOnce();
  const save = useAction(async () => {
    if (webhook === undefined) {
      const body = webhookOf(draft);
      onDone((await once(body, (options) => hub.registerWebhook({ user_id: ME, body }, options))).secret);
    } else if (changes) {
      await hub.updateWebhook({ user_id: ME, endpoint_id: webhook.endpoint_id, body: changes });
      onDone();
    }
  });
  const unfinished = draftProblem(draft);
  const refused = fieldProblem(save.error, 'url');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (unfinished === undefined) void save.run();
      }}
    >
      <Field label="Address" hint="A public https address." error={refused}>
        <TextInput type="url" value={draft.url} onValue={(url) => change({ url })} required maxLength={500} />
      </Field>
      <Field label="Name" hint="For you; may be left out.">
        <TextInput
          value={draft.description}
          onValue={(description) => change({ description })}
          maxLength={200}
        />
      </Field>
      <Checkbox checked={draft.isAll} onChecked={(isAll) => change({ isAll })}>
        All events
      </Checkbox>
      {!draft.isAll &&
        EVENTS.map(({ subject, types }) => (
          <fieldset key={subject} class="preference-group">
            <legend>{subject}</legend>
            <div class="row">
              {types.map((type) => (
                <Checkbox
                  key={type}
                  checked={draft.events.includes(type)}
                  onChecked={(isOn) =>
                    change({
                      events: toggled(
                        EVENTS.flatMap((group) => group.types),
                        draft.events,
                        type,
                        isOn,
                      ),
                    })
                  }
                >
                  {eventText(type)}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        ))}
      <Checkbox
        checked={draft.isEveryDeployment}
        onChecked={(isEveryDeployment) => change({ isEveryDeployment })}
      >
        All deployments, also those that start later
      </Checkbox>
      {!draft.isEveryDeployment && (
        <WebhookDeployments chosen={draft.deployments} onChosen={(deployments) => change({ deployments })} />
      )}
      <Problem of={refused === undefined ? save.error : undefined}>
        {isShownOnce(save.error) && (
          <> The webhook was added. Close this, and choose New secret for it to see a secret.</>
        )}
      </Problem>
      <p role="status" class="field-hint">
        {unfinished}
      </p>
      <div class="actions dialog-actions">
        <Button
          submit
          kind="primary"
          busy={save.isBusy}
          disabled={unfinished !== undefined || (webhook !== undefined && changes === undefined)}
        >
          {webhook === undefined ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  );
};
