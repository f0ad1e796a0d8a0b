import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Problem } from './notice.tsx';
import { Screen } from './screen.tsx';
import type { Action } from './use-action.ts';

interface AccountFormProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** Name of the button that sends the form. */
  readonly submit: string;
  readonly action: Pick<Action<[], unknown>, 'run' | 'isBusy' | 'error'>;
  /** Error of the form as a whole, unless it is shown at a field. */
  readonly error?: unknown;
  /** Links below the form. */
  readonly more: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Screen with one form, for people who are not signed in. */
export const AccountForm = (props: AccountFormProps) => {
  const { title, lead, submit, action, more, children } = props;
  const error = 'error' in props ? props.error : action.error;
  return (
    <div class="account-screen">
      <Screen title={title} lead={lead}>
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault();
            void action.run();
          }}
        >
          {children}
          <Problem of={error} />
          <Button submit kind="primary" busy={action.isBusy}>
            {submit}
          </Button>
        </form>
        <nav class="account-links row row-apart" aria-label="Account">
          {more}
        </nav>
      </Screen>
    </div>
  );
};
