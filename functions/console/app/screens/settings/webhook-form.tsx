import { useState } from 'preact/hooks';
import type { WebhookIn } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { eventText } from './texts.ts';

type EventType = NonNullable<WebhookIn['events']>[number];

/** Events that a webhook can choose, by their subject. */
const EVENTS: readonly { readonly subject: string; readonly types: readonly EventType[] }[] = [
  {
    subject: 'Deployments',
    types: [
      'deployment.requested',
      'deployment.started',
      'deployment.paused',
      'deployment.resumed',
      'deployment.halted',
      'deployment.stop_requested',
      'deployment.stopped',
      'deployment.expired',
      'deployment.failed',
    ],
  },
  {
    subject: 'Orders and trades',
    types: [
      'order.placed',
      'order.updated',
      'order.partially_filled',
      'order.filled',
      'order.cancelled',
      'order.rejected',
      'order.expired',
      'trade.closed',
      'trades.corrected',
    ],
  },
  { subject: 'Signals', types: ['signal.raised', 'scanner.matched'] },
  {
    subject: 'Risk and connections',
    types: ['risk.warning', 'risk.tripped', 'kill_switch.thrown', 'connection.lost'],
  },
  { subject: 'Backtests', types: ['backtest.done'] },
];

/** Asks for the address and events of a new webhook. */
export const WebhookForm = ({ onDone }: { readonly onDone: (secret: string) => void }) => {
  const [url, setUrl] = useState('https://');
  const [description, setDescription] = useState('');
  const [isAll, setAll] = useState(true);
  const [chosen, setChosen] = useState<readonly EventType[]>([]);
  const register = useAction(async () => {
    const { secret } = await hub.registerWebhook({
      user_id: ME,
      body: { url: url.trim(), description, events: isAll ? [] : chosen },
    });
    onDone(secret);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void register.run();
      }}
    >
      <Field label="Address" hint="A public https address." error={fieldProblem(register.error, 'url')}>
        <TextInput type="url" value={url} onValue={setUrl} required maxLength={500} />
      </Field>
      <Field label="Name" hint="For you; may be left out.">
        <TextInput value={description} onValue={setDescription} maxLength={200} />
      </Field>
      <Checkbox checked={isAll} onChecked={setAll}>
        All events
      </Checkbox>
      {!isAll &&
        EVENTS.map(({ subject, types }) => (
          <fieldset key={subject} class="preference-group">
            <legend>{subject}</legend>
            <div class="row">
              {types.map((type) => (
                <Checkbox
                  key={type}
                  checked={chosen.includes(type)}
                  onChecked={(isOn) =>
                    setChosen(isOn ? [...chosen, type] : chosen.filter((other) => other !== type))
                  }
                >
                  {eventText(type)}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        ))}
      <Problem of={fieldProblem(register.error, 'url') ? undefined : register.error} />
      <div class="actions dialog-actions">
        <Button submit kind="primary" busy={register.isBusy} disabled={!isAll && chosen.length === 0}>
          Add
        </Button>
      </div>
    </form>
  );
};
