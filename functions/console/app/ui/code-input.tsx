import { TextInput } from './field.tsx';

interface CodeInputProps {
  readonly value: string;
  readonly onValue: (code: string) => void;
  /** Digits of the code. Others, and spaces of a pasted one, are left out. */
  readonly digits: 6 | 8;
}

/** Input of a one-time code. */
export const CodeInput = ({ value, onValue, digits }: CodeInputProps) => (
  <TextInput
    value={value}
    onValue={(text) => onValue(text.replace(/\D/g, '').slice(0, digits))}
    autocomplete="one-time-code"
    inputMode="numeric"
    pattern={`[0-9]{${digits}}`}
    required
  />
);
