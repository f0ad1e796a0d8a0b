import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKeptText } from '../../ui/use-kept.ts';

interface FormProps {
  readonly strategy: StrategyRulesOut;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const DescribeForm = ({ strategy, onClose, onChanged }: FormProps) => {
  const [name, setName] = useKeptText('name', strategy.strategy_name);
  const [description, setDescription] = useKeptText('description', strategy.description ?? '');
  const action = useAction(async () => {
    // Descriptions are of one paragraph.
    const text = description.replace(/\s+/g, ' ').trim();
    await hub.updateStrategy({
      user_id: ME,
      strategy_id: strategy.strategy_id,
      body: { strategy_name: name, description: text === '' ? null : text },
    });
    onChanged();
    onClose();
  });
  const wrongName = fieldProblem(action.error, 'strategy_name');
  const wrongDescription = fieldProblem(action.error, 'description');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <Field label="Name" error={wrongName}>
        <TextInput value={name} onValue={setName} maxLength={100} required />
      </Field>
      <Field
        label="Description"
        hint="Say what the idea is, in one paragraph. Everyone who can see the strategy reads it."
        error={wrongDescription}
      >
        <TextArea value={description} onValue={setDescription} maxLength={2000} rows={6} />
      </Field>
      {!wrongName && !wrongDescription && <Problem of={action.error} />}
      <div class="actions dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button submit kind="primary" busy={action.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
};

/** Dialog that renames and describes a strategy. */
export const DescribeDialog = ({ open, ...form }: FormProps & { readonly open: boolean }) => (
  <Dialog title="Rename or describe" open={open} onClose={form.onClose}>
    <DescribeForm {...form} />
  </Dialog>
);
