import { useControl } from './field.tsx';

interface TextAreaProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly maxLength?: number;
}

/** Input of a text of several lines. */
export const TextArea = ({ value, onValue, ...more }: TextAreaProps) => (
  <textarea
    {...more}
    {...useControl()}
    value={value}
    onInput={({ currentTarget }) => onValue(currentTarget.value)}
  />
);
