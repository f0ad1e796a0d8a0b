import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { allOf, ownStrategies } from '../../strategies/own.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKeptText } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';

interface FileDialogProps {
  readonly backtest: Pick<GetBacktestOutput, 'backtest_id' | 'backtest_name' | 'strategy_id'>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const MAX_NAME = 100;

/** Names a backtest, and files it under a strategy of the user. */
export const FileDialog = ({ backtest, onDone, onClose }: FileDialogProps) => {
  const { backtest_id, backtest_name, strategy_id } = backtest;
  const [name, setName] = useKeptText('name', backtest_name ?? '');
  const [filed, setFiled] = useKeptText('filed under', strategy_id === null ? '' : String(strategy_id));
  const strategies = useResource((signal) => allOf(ownStrategies(signal)), []);
  const action = useAction(async () => {
    const typed = name.trim();
    const change = {
      ...(typed !== '' && typed !== backtest_name && { backtest_name: typed }),
      ...(filed !== '' && Number(filed) !== strategy_id && { strategy_id: Number(filed) }),
    };
    if (Object.keys(change).length > 0) await hub.updateBacktest({ user_id: ME, backtest_id, ...change });
    onDone();
  });
  return (
    <Dialog title="Name and file" open onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <Field label="Name" hint="Lists and the report show it.">
          <TextInput value={name} onValue={setName} maxLength={MAX_NAME} autocomplete="off" />
        </Field>
        <Loaded of={strategies}>
          {(items) => (
            <Field label="Strategy" hint="The backtest is listed with those of the strategy.">
              <Select
                value={filed}
                onValue={setFiled}
                options={[
                  { value: '', label: 'Unsaved rules', disabled: strategy_id !== null },
                  ...items.map((one) => ({ value: String(one.strategy_id), label: one.strategy_name })),
                ]}
              />
            </Field>
          )}
        </Loaded>
        <Problem of={action.error} />
        <div class="actions dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind="primary" busy={action.isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
