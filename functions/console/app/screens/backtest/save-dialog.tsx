import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { testedRules } from '../../backtests/as-tested.ts';
import { hub, ME } from '../../hub.ts';
import { barsText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKeptText } from '../../ui/use-kept.ts';
import { useOnce } from '../../ui/use-once.ts';
import { isNameTaken, makeStrategy, saveRules } from '../build/save.ts';

interface SaveDialogProps {
  readonly backtest: GetBacktestOutput;
  /** Cause for which it is saved. */
  readonly reason: string;
  readonly onSaved: (strategy: { readonly strategy_id: number; readonly strategy_name: string }) => void;
  readonly onClose: () => void;
}

const MAX_NAME = 100;

/** Saves what a backtest tested as a new strategy, and files the backtest under it. */
export const SaveDialog = ({ backtest, reason, onSaved, onClose }: SaveDialogProps) => {
  const { backtest_id, symbols, timeframe } = backtest;
  const [name, setName] = useKeptText('name of the strategy', backtest.backtest_name ?? '');
  const once = useOnce();
  const action = useAction(async () => {
    const market = { name: name.trim(), symbols, timeframe };
    const target = await once(market, ({ idempotencyKey }) => makeStrategy(market, idempotencyKey));
    await saveRules(target, testedRules(backtest));
    await hub.updateBacktest({ user_id: ME, backtest_id, strategy_id: target.strategyId });
    onSaved({ strategy_id: target.strategyId, strategy_name: market.name });
  });
  const isTaken = isNameTaken(action.error);
  return (
    <Dialog title="Save as a strategy" open onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <p>
          {reason} Save the rules and parameters that were tested, for {symbols.join(', ')} on{' '}
          {barsText(timeframe)}, as a strategy to deploy them.
        </p>
        <Field
          label="Name of the strategy"
          error={isTaken && 'You have a strategy of this name. Choose another one.'}
        >
          <TextInput value={name} onValue={setName} required maxLength={MAX_NAME} autocomplete="off" />
        </Field>
        <Problem of={isTaken ? undefined : action.error} />
        <div class="actions dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind="primary" busy={action.isBusy}>
            Save and deploy
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
