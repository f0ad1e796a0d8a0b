import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Problem } from './notice.tsx';
import type { Action } from './use-action.ts';

interface StepUpFormProps {
  readonly action: Pick<Action<[], unknown>, 'run' | 'isBusy' | 'error'>;
  readonly submit?: string;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}

/** Form of one way of the step-up. */
export const StepUpForm = ({ action, submit = 'Confirm', onCancel, children }: StepUpFormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      // The dialog may be shown within the form of the request that waits for it.
      event.stopPropagation();
      void action.run();
    }}
  >
    {children}
    <Problem of={action.error} />
    <div class="actions dialog-actions">
      <Button onClick={onCancel}>Cancel</Button>
      <Button submit kind="primary" busy={action.isBusy}>
        {submit}
      </Button>
    </div>
  </form>
);
