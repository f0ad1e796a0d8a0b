import { useState } from 'preact/hooks';
import { scannerTimeframe } from '../../../../shared/domain/plans.ts';
import { format } from '../format.ts';
import { hub, ME } from '../hub.ts';
import { keptValues } from '../kept.ts';
import { navigate } from '../router.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Checkbox, focusInvalid } from '../ui/field.tsx';
import { Money } from '../ui/figures.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { useKept } from '../ui/use-kept.ts';
import { useOnce } from '../ui/use-once.ts';
import { useResource } from '../ui/use-resource.ts';
import { type Choices, loadChoices } from './choices.ts';
import { DeployFields } from './fields.tsx';
import {
  cannotDeploy,
  capitalOf,
  type DeployForm,
  formProblems,
  initialForm,
  isReplay,
  notificationBody,
  previewInput,
  tradingBody,
  type Way,
  waysOf,
} from './form.ts';
import { replayableOf, replayDays, unpricedOf } from './prices.ts';
import { Prices } from './prices.tsx';
import { ProtectionPreview } from './protection.tsx';

const FORMS = keptValues<DeployForm>();

/** Preview before the review. */
const NO_PREVIEW = { can_deploy: false, refusals: [], symbols: [], sentences: [] };

/** Returns why a way is not open; undefined if it is. */
const closedWay = (way: Way, { strategy, connections, plan }: Choices): string | undefined => {
  if (way === 'live' && strategy.rules_hash === null) return 'A strategy without rules has no engine here.';
  if (way === 'live' && connections.length === 0) {
    return 'Connect an account at a broker first, under Settings.';
  }
  if (way !== 'scanner') return undefined;
  if (strategy.symbols.length !== 1) return 'Only a strategy of one symbol can scan.';
  const finest = scannerTimeframe(plan);
  return strategy.rules_hash === null ? undefined : `Your plan scans bars of ${finest} or longer.`;
};

const isClosed = (way: Way, choices: Choices): boolean => {
  const { strategy, connections } = choices;
  if (way === 'live') return strategy.rules_hash === null || connections.length === 0;
  return way === 'scanner' && strategy.symbols.length !== 1;
};

const deployBy = async (
  form: DeployForm,
  { strategy }: Choices,
  once: { readonly idempotencyKey: string },
): Promise<number> => {
  const keygen = `strategy:${strategy.strategy_id}`;
  if (form.way === 'scanner') {
    const asked = { keygen, universe_id: form.universe, prices: 'required' } as const;
    return (await hub.deployScanner(asked, once)).deployment_id;
  }
  if (form.way === 'notification') {
    const body = notificationBody(strategy, form);
    return (await hub.deployNotificationStrategy({ keygen, body }, once)).deployment_id;
  }
  return (await hub.deployLiveStrategy({ keygen, body: tradingBody(strategy, form) }, once)).deployment_id;
};

const SUBMITS: Readonly<Record<Way, string>> = {
  paper: 'Deploy on paper',
  notification: 'Notify me',
  scanner: 'Start scanning',
  live: 'Continue',
};

const Ways = ({ of: choices, way, onWay }: { of: Choices; way: Way; onWay: (way: Way) => void }) => (
  <fieldset class="ways">
    <legend>How should it run?</legend>
    {waysOf(choices).map((one) => {
      const remark = closedWay(one.way, choices);
      const closed = isClosed(one.way, choices);
      return (
        <label key={one.way} class={closed ? 'way way-closed' : 'way'}>
          <input
            type="radio"
            name="way"
            checked={way === one.way}
            disabled={closed}
            onChange={() => onWay(one.way)}
          />
          <span>
            <strong>{one.name}</strong>
            <span class="muted">{one.text}</span>
            {remark && <span class="muted">{remark}</span>}
          </span>
        </label>
      );
    })}
  </fieldset>
);

const RealMoney = ({ form, of: { strategy, connections } }: { form: DeployForm; of: Choices }) => {
  const account = connections.find(({ account_id }) => account_id === form.account);
  return (
    <Notice kind="bad">
      <p>
        <strong>
          This trades with {account?.environment === 'paper' ? 'the test account' : 'real money'}.
        </strong>
      </p>
      <p>
        “{strategy.strategy_name}” will buy and sell {form.symbols.join(', ')} on account {form.account} at{' '}
        {account?.adapter ?? 'your broker'} by itself, with up to{' '}
        <Money value={capitalOf(form)} currency={form.currency.trim().toUpperCase()} />. Orders leave without
        asking you. You can lose all of it. Results of backtests and on paper do not promise anything.
      </p>
      <p>You stop it at any time under Deployments, or all at once with the kill switch under Risk.</p>
    </Notice>
  );
};

interface FormViewProps {
  readonly of: Choices;
  readonly onClose: () => void;
  readonly onCopied: (strategyId: number) => void;
}

/** Returns the form as it begins. Without prices that arrive, recorded ones are replayed. */
const firstForm = ({ strategy, currency, instruments, canReplay }: Choices): DeployForm => {
  const usual = { ...initialForm(strategy), currency };
  const recorded = canReplay ? replayableOf(strategy, instruments) : undefined;
  if (!recorded) return usual;
  const hasNone = unpricedOf(strategy.symbols, instruments, strategy.timeframe).length > 0;
  return { ...usual, prices: hasNone ? 'replay' : 'arriving', replayFrom: replayDays(recorded).usual };
};

const DeployFormView = ({ of: choices, onClose, onCopied }: FormViewProps) => {
  const { strategy, used, limit } = choices;
  const [form, setForm] = useKept(FORMS, `deploy ${strategy.strategy_id}`, () => firstForm(choices));
  const [isTried, setTried] = useState(false);
  const [isReview, setReview] = useState(false);
  const [hasAgreed, setAgreed] = useState(false);
  const once = useOnce();
  const action = useAction(async () => {
    const id = await once(form, (options) => deployBy(form, choices, options));
    onClose();
    navigate(`/deployments/${id}`);
  });
  const preview = useResource(
    async (signal) =>
      isReview
        ? hub.previewDeployment({ user_id: ME, ...previewInput(strategy, form) }, { signal })
        : NO_PREVIEW,
    [isReview, form.account, form.symbols.join(), form.currency, form.unprotected],
  );
  const isRefused = preview.value?.can_deploy !== true;
  const problems = formProblems(form, new Date());
  const isWhole = Object.keys(problems).length === 0;
  const isFull = used >= limit;
  // The hub does not run a strategy without rules: its engine brings prices of its own.
  const unpriced =
    strategy.rules_hash === null || form.way === 'scanner'
      ? []
      : unpricedOf(form.symbols, choices.instruments, strategy.timeframe);
  const isStopped = unpriced.length > 0 && !isReplay(form);
  const change = (more: Partial<DeployForm>): void => {
    setForm((held) => ({ ...held, ...more }));
    action.clear();
  };
  const submit = (): void => {
    setTried(true);
    if (!isWhole || isFull || isStopped) return;
    if (form.way === 'live' && !isReview) setReview(true);
    else if (form.way !== 'live' || (hasAgreed && !isRefused)) void action.run();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
        if (!isWhole) focusInvalid(event.currentTarget);
      }}
    >
      {isReview ? (
        <>
          <RealMoney form={form} of={choices} />
          <ProtectionPreview of={preview} />
          <Checkbox checked={hasAgreed} onChecked={setAgreed}>
            I want it to trade with real money
          </Checkbox>
        </>
      ) : (
        <>
          <Ways of={choices} way={form.way} onWay={(way) => change({ way })} />
          <Prices
            form={form}
            of={choices}
            problems={isTried ? problems : {}}
            error={action.error}
            unpriced={unpriced}
            onChange={change}
            onCopied={onCopied}
          />
          <DeployFields
            form={form}
            of={choices}
            problems={isTried ? problems : {}}
            error={action.error}
            onChange={change}
          />
        </>
      )}
      {isFull ? (
        <Notice kind="warn">
          Your plan allows {format.count(limit)} deployments at once, and {format.count(used)} run. Stop one
          first.
        </Notice>
      ) : (
        <p class="muted">
          {format.count(used)} of the {format.count(limit)} deployments of your plan{' '}
          {used === 1 ? 'runs' : 'run'} now.
        </p>
      )}
      <Problem of={action.error} />
      <div class="actions dialog-actions">
        {isReview ? (
          <Button onClick={() => setReview(false)}>Back</Button>
        ) : (
          <Button onClick={onClose}>Cancel</Button>
        )}
        <Button
          submit
          kind={isReview ? 'danger' : 'primary'}
          busy={action.isBusy}
          disabled={isFull || isStopped || (isReview && (!hasAgreed || isRefused))}
        >
          {isReview ? 'Trade with real money' : isReplay(form) ? 'Replay on paper' : SUBMITS[form.way]}
        </Button>
      </div>
    </form>
  );
};

export interface ContentProps {
  readonly strategy_id: number;
  readonly onClose: () => void;
}

/** Form that deploys a strategy, or the reason why it cannot be deployed. */
export const DeployContent = ({ strategy_id: given, onClose }: ContentProps) => {
  const [copied, setCopied] = useState<number>();
  const strategy_id = copied ?? given;
  const choices = useResource((signal) => loadChoices(strategy_id, signal), [strategy_id]);
  return (
    <Loaded of={choices}>
      {(value) => {
        const refusal = cannotDeploy(value.strategy);
        if (refusal === undefined) {
          return (
            <>
              {copied !== undefined && (
                <Notice kind="good" isNew>
                  This is “{value.strategy.strategy_name}”, the copy on {value.strategy.symbols.join(', ')}.
                </Notice>
              )}
              <DeployFormView key={strategy_id} of={value} onClose={onClose} onCopied={setCopied} />
            </>
          );
        }
        return (
          <div class="stack">
            <Notice kind="warn">{refusal}</Notice>
            <div class="actions">
              <LinkButton href={`#/strategies/${strategy_id}`}>Open the strategy</LinkButton>
            </div>
          </div>
        );
      }}
    </Loaded>
  );
};
