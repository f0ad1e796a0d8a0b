import { useState } from 'preact/hooks';
import {
  type GetDeploymentOutput,
  type GetRiskLimitsOutput,
  HubApiError,
} from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { LimitAmount } from '../../risk/amount.tsx';
import { limitLabel, useWords } from '../../risk/limits.ts';
import { allowedWords } from '../../risk/words.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Percent, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type Resource, useResource } from '../../ui/use-resource.ts';

/** Risk limits of a deployment with their use. */
export const Limits = ({ of: limits }: { of: Resource<GetRiskLimitsOutput | null> }) => (
  <section class="stack">
    <h2>Risk limits</h2>
    <Loaded
      of={limits}
      empty={(value) =>
        (!value || (value.usage.length === 0 && allowedWords(value.merged).length === 0)) && (
          <>
            <p>No risk limit watches this deployment. A limit stops it before its losses do.</p>
            <LinkButton href="#/risk">Set risk limits</LinkButton>
          </>
        )
      }
    >
      {(value) =>
        value && (
          <>
            {value.usage.length > 0 && (
              <DataTable
                caption="Risk limits and their use"
                rows={value.usage}
                rowKey={({ limit }) => limit}
                columns={[
                  { head: 'Limit', isHead: true, cell: ({ limit }) => limitLabel(limit) },
                  {
                    head: 'Used',
                    isNumber: true,
                    cell: ({ limit, used }) => (
                      <LimitAmount name={limit} value={used} currency={value.currency} />
                    ),
                  },
                  {
                    head: 'Allowed',
                    isNumber: true,
                    cell: ({ limit, allowed }) => (
                      <LimitAmount name={limit} value={allowed} currency={value.currency} />
                    ),
                  },
                  { head: 'Part', isNumber: true, cell: ({ used_pct }) => <Percent value={used_pct} /> },
                  {
                    head: 'State',
                    cell: ({ limit, used_pct }) =>
                      value.state?.tripped?.limit === limit
                        ? 'Reached: it stopped the deployment'
                        : useWords(used_pct),
                  },
                ]}
              />
            )}
            {allowedWords(value.merged).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </>
        )
      }
    </Loaded>
  </section>
);

type Facts = Pick<GetDeploymentOutput, 'deployment_id' | 'deployment_type'>;

/** Reads the address of a deployment; undefined if it has none. */
const readHook = async (deployment_id: number, signal: AbortSignal) => {
  try {
    return await hub.getSignalHook({ user_id: ME, deployment_id }, { signal });
  } catch (error) {
    if (error instanceof HubApiError && error.code === 'hook_unknown') return undefined;
    throw error;
  }
};

const HookForm = ({ of: { deployment_id } }: { of: Facts }) => {
  const input = { user_id: ME, deployment_id };
  const hook = useResource((signal) => readHook(deployment_id, signal), [deployment_id]);
  const [made, setMade] = useState<Awaited<ReturnType<typeof hub.createSignalHook>>>();
  const create = useAction(async () => {
    setMade(await hub.createSignalHook({ ...input, body: {} }));
    hook.reload();
  });
  const revoke = useAction(async () => {
    await hub.revokeSignalHook(input);
    setMade(undefined);
    hook.reload();
  });
  const present = hook.value;
  return (
    <>
      {present && (
        <p>
          An address is open since <When at={present.created_at} />.{' '}
          {present.signalled_at ? (
            <>
              The last signal came <When at={present.signalled_at} />.
            </>
          ) : (
            'No signal has come yet.'
          )}
        </p>
      )}
      {made && (
        <Notice kind="good">
          <p>
            <strong>Copy the address now. It is not shown again.</strong>
          </p>
          <p>
            <code>{made.url}</code>
          </p>
          <p>Message of the alert:</p>
          <p>
            <code>{made.template}</code>
          </p>
          {'clipboard' in navigator && (
            <div class="actions">
              <Button onClick={() => void navigator.clipboard.writeText(made.url)}>Copy the address</Button>
              <Button onClick={() => void navigator.clipboard.writeText(made.template)}>
                Copy the message
              </Button>
            </div>
          )}
        </Notice>
      )}
      <Problem of={create.error ?? revoke.error} />
      <div class="actions">
        <Button busy={create.isBusy} onClick={() => void create.run()}>
          {present ? 'Replace the address' : 'Open an address'}
        </Button>
        {present && (
          <Button kind="danger" busy={revoke.isBusy} onClick={() => void revoke.run()}>
            Close the address
          </Button>
        )}
      </div>
    </>
  );
};

/** Address at which a deployment without an own engine takes signals. It is read when it is asked for. */
export const SignalAddress = ({ of: facts }: { of: Facts }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card">
      <h2>Signals from outside</h2>
      <p>
        An alert elsewhere, such as in TradingView, can send signals to an address.{' '}
        {facts.deployment_type === 'live'
          ? 'Each signal is a market order on paper. It fills at the first price after its arrival, with the costs of its class.'
          : 'Each signal is a notification for you.'}{' '}
        Whoever has the address can send them, so keep it to yourself.
      </p>
      {isOpen ? (
        <HookForm key={facts.deployment_id} of={facts} />
      ) : (
        <div class="actions">
          <Button onClick={() => setOpen(true)}>Set up signals</Button>
        </div>
      )}
    </section>
  );
};
