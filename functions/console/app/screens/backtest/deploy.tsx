import { useState } from 'preact/hooks';
import type { GetBacktestOutput, StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { isAsTested } from '../../backtests/as-tested.ts';
import { DeployDialog } from '../../deploy/deploy-dialog.tsx';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SaveDialog } from './save-dialog.tsx';

interface DeployProps {
  readonly backtest: GetBacktestOutput;
  readonly onFiled: () => void;
}

/** Dialog that is open: for the strategy as tested, or to save what was tested. */
type Step =
  | { readonly strategy: Pick<StrategyRulesOut, 'strategy_id' | 'strategy_name'> }
  | { readonly reason: string };

/** Deploys what a backtest tested. Rules that no strategy has are saved first. */
export const Deploy = ({ backtest, onFiled }: DeployProps) => {
  const { strategy_id } = backtest;
  const [step, setStep] = useState<Step>();
  const begin = useAction(async () => {
    if (strategy_id === null) {
      setStep({ reason: 'These rules belong to no strategy yet.' });
      return;
    }
    const strategy = await hub.getStrategy({ user_id: ME, strategy_id });
    setStep(
      isAsTested(backtest, strategy)
        ? { strategy }
        : { reason: 'The strategy has other rules, parameters or instruments by now.' },
    );
  });
  // The event of a dialog that gave way to the next one comes late.
  const close = (): void => setStep((now) => (now === step ? undefined : now));
  return (
    <>
      <Button kind="primary" busy={begin.isBusy} onClick={() => void begin.run()}>
        Deploy
      </Button>
      <Problem of={begin.error} />
      {step && 'strategy' in step && <DeployDialog strategy={step.strategy} open onClose={close} />}
      {step && 'reason' in step && (
        <SaveDialog
          backtest={backtest}
          reason={step.reason}
          onClose={close}
          onSaved={(strategy) => {
            setStep({ strategy });
            onFiled();
          }}
        />
      )}
    </>
  );
};
