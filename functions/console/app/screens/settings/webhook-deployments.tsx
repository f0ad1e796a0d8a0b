import { hub, ME } from '../../hub.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { toggled } from './webhook-model.ts';

const SIZE = 100;
const ENDED: ReadonlySet<string> = new Set(['stopped', 'expired', 'error']);

interface Choice {
  readonly id: number;
  readonly label: string;
}

/** Reads the newest deployments of each kind that have not ended. */
const loadChoices = async (signal: AbortSignal): Promise<readonly Choice[]> => {
  const page = { user_id: ME, size: SIZE };
  const lists = await Promise.all([
    hub.getAllLiveDeploymentsV2(page, { signal }),
    hub.getAllNotificationDeployments(page, { signal }),
    hub.getScannerDeployments(page, { signal }),
  ]);
  const kinds = ['trades', 'notifies', 'scans'];
  return lists.flatMap(({ items }, index) =>
    items
      .filter(({ status }) => !ENDED.has(status))
      .map(({ deployment_id: id, strategy_name: name }) => ({
        id,
        label: `${name}, ${kinds[index]} (${id})`,
      })),
  );
};

interface WebhookDeploymentsProps {
  readonly chosen: readonly number[];
  readonly onChosen: (ids: readonly number[]) => void;
}

/** Choice of the deployments whose events a webhook gets. */
export const WebhookDeployments = ({ chosen, onChosen }: WebhookDeploymentsProps) => {
  const choices = useResource(loadChoices, []);
  return (
    <fieldset class="preference-group">
      <legend>Deployments</legend>
      <p class="field-hint">
        Events of the whole account, such as backtests, are sent by webhooks of all deployments only.
      </p>
      <Loaded of={choices}>
        {(running) => {
          const known = new Set(running.map(({ id }) => id));
          const others = chosen
            .filter((id) => !known.has(id))
            .map((id) => ({ id, label: `Ended or older deployment (${id})` }));
          const all = [...running, ...others];
          if (all.length === 0) return <p>No deployment runs. Start one first, or choose all.</p>;
          return (
            <div class="stack">
              {all.map(({ id, label }) => (
                <Checkbox
                  key={id}
                  checked={chosen.includes(id)}
                  onChecked={(isOn) =>
                    onChosen(
                      toggled(
                        all.map((one) => one.id),
                        chosen,
                        id,
                        isOn,
                      ),
                    )
                  }
                >
                  {label}
                </Checkbox>
              ))}
            </div>
          );
        }}
      </Loaded>
    </fieldset>
  );
};
