import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, NumberInput, PasswordInput, Select, TextInput } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { Tabs } from '../ui/tabs.tsx';

const KINDS = ['primary', 'plain', 'danger', 'quiet'] as const;
const nothing = (): void => undefined;

/** Buttons, links that look like them, tabs and pages. */
export const ButtonStates = () => {
  const [tab, setTab] = useState('one');
  const [page, setPage] = useState(2);
  return (
    <>
      {KINDS.map((kind) => (
        <div key={kind} class="actions">
          <Button kind={kind}>Button, {kind}</Button>
          <Button kind={kind} busy>
            Busy, {kind}
          </Button>
          <Button kind={kind} disabled>
            Disabled, {kind}
          </Button>
          <LinkButton kind={kind} href="/console">
            Link, {kind}
          </LinkButton>
        </div>
      ))}
      <Tabs
        label="Tabs"
        items={['one', 'two', 'three'].map((key) => ({ key, label: `View ${key}` }))}
        current={tab}
        onChoose={setTab}
      />
      <Pager page={page} pages={7} onPage={setPage} />
    </>
  );
};

const OPTIONS = [
  { value: 'one', label: 'One' },
  { value: 'two', label: 'Two' },
  { value: 'closed', label: 'Closed', disabled: true },
] as const;

/** Fields with hints, errors and units, and those that are disabled. */
export const FieldStates = () => {
  const [text, setText] = useState('Text');
  const [choice, setChoice] = useState<(typeof OPTIONS)[number]['value']>('one');
  const [isChecked, setChecked] = useState(true);
  return (
    <>
      <div class="toolbar">
        <Field label="Search">
          <TextInput type="search" value={text} onValue={setText} />
        </Field>
        <Field label="Choice">
          <Select value={choice} options={OPTIONS} onValue={setChoice} />
        </Field>
        <Checkbox checked={isChecked} onChecked={setChecked}>
          In one line
        </Checkbox>
      </div>
      <div class="form stack">
        <Field label="With a hint" hint="It says what to enter.">
          <TextInput value={text} onValue={setText} />
        </Field>
        <Field label="With an error" error="Enter an amount above zero.">
          <NumberInput value="-3" onValue={nothing} unit="USD" />
        </Field>
        <Field label="Disabled">
          <TextInput value="Cannot be changed" onValue={nothing} disabled />
        </Field>
        <Field label="Secret">
          <PasswordInput value="a password" onValue={nothing} autocomplete="off" />
        </Field>
      </div>
    </>
  );
};

/** Dialogs, which their buttons open. */
export const DialogStates = () => {
  const [open, setOpen] = useState<'plain' | 'ask' | 'busy' | 'failed'>();
  const close = (): void => setOpen(undefined);
  return (
    <div class="actions">
      <Button onClick={() => setOpen('plain')}>Dialog</Button>
      <Button onClick={() => setOpen('ask')}>Question</Button>
      <Button onClick={() => setOpen('busy')}>Question whose act runs</Button>
      <Button onClick={() => setOpen('failed')}>Question whose act failed</Button>
      <Dialog title="A dialog" open={open === 'plain'} onClose={close}>
        <p>It keeps the focus, and Escape closes it.</p>
      </Dialog>
      <Confirm
        title="Remove the strategy?"
        open={open !== undefined && open !== 'plain'}
        action="Remove it"
        busy={open === 'busy'}
        error={open === 'failed' ? new Error('The connection broke.') : undefined}
        onConfirm={close}
        onClose={close}
      >
        <p>The strategy is removed with its backtests. This cannot be undone.</p>
      </Confirm>
    </div>
  );
};
