import { useState } from 'preact/hooks';
import type { Webhook } from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { Secret } from './secret.tsx';
import { eventText, webhookState } from './texts.ts';
import { Deliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

const MAX_WEBHOOKS = 10;

interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly onChanged: () => void;
  readonly onSecret: (secret: string) => void;
}

const eventsOf = ({ events }: Webhook): string =>
  events.length === 0 ? 'All events' : events.map(eventText).join(', ');

const WebhookCard = ({ webhook, onChanged, onSecret }: WebhookCardProps) => {
  const { endpoint_id, url, description, status, previous_secret_until: previous } = webhook;
  const [isEditing, setEditing] = useKeptFlag(`webhook ${endpoint_id}`);
  const [isShown, setShown] = useState(false);
  const [tests, setTests] = useState(0);
  const own = { user_id: ME, endpoint_id };
  const test = useAction(async () => {
    await hub.testWebhook(own);
    setTests((count) => count + 1);
    setShown(true);
  });
  const enable = useAction(async () => {
    await hub.updateWebhook({ ...own, body: { enabled: status === 'disabled' } });
    onChanged();
  });
  const rotate = useConfirmed(async (_: true) => {
    const { secret } = await hub.rotateWebhookSecret(own);
    onSecret(secret);
    onChanged();
  });
  const remove = useConfirmed(async (_: true) => {
    await hub.removeWebhook(own);
    onChanged();
  });
  const { kind, text } = webhookState(webhook);
  return (
    <li class="webhook stack">
      <div class="row row-apart">
        <h3>{description || url}</h3>
        <Tag kind={kind}>{text}</Tag>
      </div>
      {description !== '' && <p class="webhook-url">{url}</p>}
      <p>
        {eventsOf(webhook)}
        {webhook.deployment_ids !== null && `, of ${countText(webhook.deployment_ids.length, 'deployment')}`}
      </p>
      {status === 'pending' && (
        <p>
          The address gets no events before it answers the challenge with its text. It was asked; ask again
          once it is ready.
        </p>
      )}
      {previous !== null && (
        <p>
          The former secret also signs until <When at={previous} />.
        </p>
      )}
      <div class="actions">
        <Button disabled={status === 'disabled'} busy={test.isBusy} onClick={test.run}>
          {status === 'pending' ? 'Ask again' : 'Send a test'}
        </Button>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide deliveries' : 'Deliveries'}
        </Button>
        <Button busy={enable.isBusy} onClick={enable.run}>
          {status === 'disabled' ? 'Switch on' : 'Switch off'}
        </Button>
        <Button onClick={() => setEditing(true)}>Change…</Button>
        <Button onClick={() => rotate.ask(true)}>New secret…</Button>
        <Button onClick={() => remove.ask(true)}>Remove…</Button>
      </div>
      <Problem of={test.error ?? enable.error} />
      {isShown && <Deliveries endpointId={endpoint_id} tests={tests} />}
      <Dialog title="Change the webhook" open={isEditing} onClose={() => setEditing(false)}>
        <p>A new address is asked for an answer first. What still waits to be sent goes there, too.</p>
        <WebhookForm
          webhook={webhook}
          onDone={() => {
            setEditing(false);
            onChanged();
          }}
        />
      </Dialog>
      <Confirm title="Make a new secret?" action="Make a new secret" danger={false} {...rotate.dialog}>
        <p>
          The new secret is shown once. Messages are signed with both for a day, so that you can change over.
        </p>
      </Confirm>
      <Confirm title="Remove this webhook?" action="Remove" {...remove.dialog}>
        <p>Nothing more is sent to {url}. What waits for another try is dropped.</p>
      </Confirm>
    </li>
  );
};

/** Webhooks of the user. */
export const Webhooks = () => {
  const [isAdding, setAdding] = useKeptFlag('new webhook');
  const [secret, setSecret] = useState<string>();
  const webhooks = useResource((signal) => hub.getWebhooks({ user_id: ME }, { signal }), []);
  return (
    <section class="card" aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <p>Post what happens to your deployments to an address of yours, signed with a secret.</p>
      {secret !== undefined && (
        <Secret label="Signing secret" value={secret} onHide={() => setSecret(undefined)} />
      )}
      <Loaded
        of={webhooks}
        empty={({ webhooks: list }) => list.length === 0 && <p>There is no webhook yet.</p>}
      >
        {({ webhooks: list }) => (
          <>
            <ul class="webhooks">
              {list.map((webhook) => (
                <WebhookCard
                  key={webhook.endpoint_id}
                  webhook={webhook}
                  onChanged={webhooks.reload}
                  onSecret={setSecret}
                />
              ))}
            </ul>
            {list.length >= MAX_WEBHOOKS && (
              <Notice>These are as many as possible. Remove one to add another.</Notice>
            )}
          </>
        )}
      </Loaded>
      <div class="actions">
        <Button
          disabled={(webhooks.value?.webhooks.length ?? 0) >= MAX_WEBHOOKS}
          onClick={() => setAdding(true)}
        >
          Add a webhook…
        </Button>
      </div>
      <Dialog
        title="Add a webhook"
        open={isAdding}
        onClose={() => {
          setAdding(false);
          // It may have been added even if there was no answer.
          webhooks.reload();
        }}
      >
        <WebhookForm
          onDone={(made) => {
            setAdding(false);
            setSecret(made);
            webhooks.reload();
          }}
        />
      </Dialog>
    </section>
  );
};
