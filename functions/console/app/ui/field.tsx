import { type ComponentChildren, createContext, createElement } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Attributes that connect a control with its label, hint and error. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

const ControlContext = createContext<ControlAttributes | undefined>(undefined);

/** Returns the attributes of the control inside a field; empty outside a field. */
export const useControl = (): Partial<ControlAttributes> => useContext(ControlContext) ?? {};

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Label, hint and error of one control. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes: ControlAttributes = {
    id,
    ...(described !== '' && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <ControlContext.Provider value={attributes}>{children}</ControlContext.Provider>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};

/** Attributes that screens may set on inputs. */
interface InputAttributes {
  readonly name?: string;
  readonly autocomplete?: AutoFill;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly spellcheck?: boolean;
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'search' | 'email';
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly 'aria-label'?: string;
}

interface TextInputProps extends InputAttributes {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'tel' | 'url' | 'date';
  /** Takes the Enter key, which sends the form otherwise. */
  readonly onEnter?: (() => void) | undefined;
}

/** Input of a text. */
export const TextInput = ({ value, onValue, onEnter, type = 'text', ...more }: TextInputProps) =>
  createElement('input', {
    ...more,
    ...useControl(),
    type,
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onValue(currentTarget.value),
    ...(onEnter && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || event.isComposing) return;
        event.preventDefault();
        onEnter();
      },
    }),
  });

/** Input of a password, which can be shown. */
export const PasswordInput = ({ value, onValue, ...more }: Omit<TextInputProps, 'type' | 'onEnter'>) => {
  const [isShown, setShown] = useState(false);
  const attributes = {
    ...more,
    ...useControl(),
    value,
    spellcheck: false,
    autocapitalize: 'off',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onValue(currentTarget.value),
  } as const;
  return (
    <span class="with-unit">
      {isShown ? <input {...attributes} type="text" /> : <input {...attributes} type="password" />}
      <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
        <span class="unseen"> the password</span>
      </Button>
    </span>
  );
};

interface NumberInputProps extends InputAttributes {
  /** Text as typed, which may not be a number yet. */
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Text behind the number, such as `%`. */
  readonly unit?: string | undefined;
}

/** Input of a number. It holds the text as typed, so that the screen decides about unfinished numbers. */
export const NumberInput = ({ value, onValue, unit, ...more }: NumberInputProps) => {
  const input = (
    <input
      {...more}
      {...useControl()}
      class="number"
      inputMode="decimal"
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
  if (unit === undefined) return input;
  return (
    <span class="with-unit">
      {input}
      <span class="unit">{unit}</span>
    </span>
  );
};

interface SelectProps<V extends string> {
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string; readonly disabled?: boolean }[];
  readonly disabled?: boolean;
  readonly 'aria-label'?: string;
}

/** Choice of one of several values. */
export const Select = <V extends string>({ value, onValue, options, ...more }: SelectProps<V>) => (
  <select
    {...more}
    {...useControl()}
    value={value}
    onChange={({ currentTarget }) => {
      const chosen = options[currentTarget.selectedIndex];
      if (chosen) onValue(chosen.value);
    }}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value} disabled={option.disabled}>
        {option.label}
      </option>
    ))}
  </select>
);

interface CheckboxProps {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** Checkbox with its label. */
export const Checkbox = ({ checked, onChecked, disabled, children }: CheckboxProps) => (
  <label class="checkbox">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);

/** Moves the focus to the first field of a form that needs another value, once its problem is shown. */
export const focusInvalid = (form: HTMLElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
};
