import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Problem } from './notice.tsx';
import { useAction } from './use-action.ts';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  /** True while its action runs: it stays open, so that an error of the action is seen. */
  readonly isHeld?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Moves the focus back to the control that opened a dialog, or to the title if the control is gone. */
const returnFocus = (opener: Element | null): void =>
  queueMicrotask(() => {
    const target = opener?.isConnected ? opener : document.querySelector('h1');
    if (target instanceof HTMLElement) target.focus();
  });

/** Modal dialog. It keeps the focus inside, and Escape closes it. */
export const Dialog = ({ title, open, isHeld = false, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    const opener = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      if (element.open) element.close();
      returnFocus(opener);
    };
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        if (isHeld) event.preventDefault();
      }}
      onClose={onClose}
    >
      {open && (
        <>
          <header class="dialog-head">
            <h2 id={id}>{title}</h2>
            <Button kind="quiet" aria-label="Close" disabled={isHeld} onClick={() => dialog.current?.close()}>
              ×
            </Button>
          </header>
          {children}
        </>
      )}
    </dialog>
  );
};

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  /** Name of the action, for its button. */
  readonly action: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Text that says what will happen. */
  readonly children: ComponentChildren;
}

/** Asks before an action and says what will happen. */
export const Confirm = (props: ConfirmProps) => {
  const { title, open, action, danger = true, busy = false, disabled = false } = props;
  return (
    <Dialog title={title} open={open} isHeld={busy} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled) props.onConfirm();
        }}
      >
        {props.children}
        <Problem of={props.error} />
        <div class="actions dialog-actions">
          <Button disabled={busy} onClick={props.onClose}>
            Cancel
          </Button>
          <Button submit kind={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/**
 * Act on something, which a `Confirm` asks about first.
 *
 * @example
 * const leave = useConfirmed((broker: UserBroker) => unlink(broker));
 * <Button onClick={() => leave.ask(broker)}>Unlink…</Button>
 * <Confirm title={`Unlink ${leave.asked?.name}?`} action="Unlink" {...leave.dialog}>…</Confirm>
 */
export const useConfirmed = <T extends object | number | true>(act: (one: T) => Promise<void>) => {
  const [asked, ask] = useState<T>();
  const { run, isBusy, error, clear } = useAction(async (one: T) => {
    await act(one);
    ask(undefined);
  });
  return {
    /** Thing that the dialog asks about. */
    asked,
    /** Opens the dialog. */
    ask,
    /** Acts without asking. */
    run,
    isBusy,
    error,
    /** State of the dialog. */
    dialog: {
      open: asked !== undefined,
      busy: isBusy,
      error,
      onConfirm: (): void => {
        if (asked !== undefined) void run(asked);
      },
      onClose: (): void => {
        ask(undefined);
        clear();
      },
    },
  };
};
