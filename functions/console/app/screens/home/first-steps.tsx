import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Percent } from '../../ui/figures.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useOnce } from '../../ui/use-once.ts';
import { useResource } from '../../ui/use-resource.ts';
import { type Demo, findDemoSymbol, runDemo } from './demo.ts';
import type { Steps } from './load-home.ts';

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

const Step = ({ isDone, title, text, href, action }: StepProps) => (
  <li class={isDone ? 'step step-done' : 'step'}>
    <h3>
      {title}
      {isDone && <span class="muted"> (done)</span>}
    </h3>
    <p class="muted">{text}</p>
    <LinkButton href={href}>{action}</LinkButton>
  </li>
);

const DemoDone = ({ demo: { strategyId, backtest, deploymentId } }: { readonly demo: Demo }) => (
  <Notice kind="good">
    <p>
      <strong>It runs.</strong> The strategy is tested
      {backtest.statistics && (
        <>
          {' '}
          (<Percent value={backtest.statistics.total_return_pct} signed /> on past prices)
        </>
      )}
      , and trades on paper now. Its prices are invented: a bar of the demo market takes two seconds.
    </p>
    <div class="actions">
      <LinkButton kind="primary" href={`#/deployments/${deploymentId}`}>
        Watch it trade
      </LinkButton>
      <LinkButton href={`#/backtests/${backtest.backtest_id}`}>See its backtest</LinkButton>
      <LinkButton href={`#/strategies/${strategyId}/build`}>Change its rules</LinkButton>
    </div>
  </Notice>
);

interface FirstStepsProps {
  readonly steps: Steps;
  readonly onChange: () => void;
}

/** Three steps of a new user, and a demonstration that takes all of them. */
export const FirstSteps = ({ steps, onChange }: FirstStepsProps) => {
  const [demo, setDemo] = useState<Demo>();
  const symbol = useResource(findDemoSymbol, []);
  const once = useOnce();
  const start = useAction(async (of: string) => {
    setDemo(await once(of, ({ idempotencyKey }) => runDemo(of, idempotencyKey)));
    onChange();
  });
  const demoSymbol = symbol.value;
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">Three steps to a strategy that runs</h2>
      <ol class="steps">
        <Step
          isDone={steps.hasStrategy}
          title="1. Say when to buy and sell"
          text="Begin with a template, or copy the strategy of somebody else."
          href="#/build"
          action="Build a strategy"
        />
        <Step
          isDone={steps.hasBacktest}
          title="2. Test it on past prices"
          text="See how the rules would have done, after costs."
          href="#/backtests/new"
          action="Run a backtest"
        />
        <Step
          isDone={steps.hasDeployment}
          title="3. Run it on paper"
          text="It trades by itself, without money. Nothing can be lost."
          href="#/strategies"
          action="Deploy a strategy"
        />
      </ol>
      {demo && <DemoDone demo={demo} />}
      {!demo && demoSymbol && !steps.hasDeployment && (
        <div class="row">
          <Button kind="primary" busy={start.isBusy} onClick={() => start.run(demoSymbol)}>
            Show me all three
          </Button>
          <span class="muted">Makes a small strategy, tests it and runs it on the demo market.</span>
        </div>
      )}
      <Problem of={start.error ?? symbol.error} />
    </section>
  );
};
