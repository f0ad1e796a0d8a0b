import { useRef } from 'preact/hooks';

/** Group of choices; without a label, its choices are not grouped. */
export interface ChoiceGroup {
  readonly label?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

interface ChoiceChipProps {
  /** Name for screen readers. */
  readonly label: string;
  /** Text of the chip; the label of the choice by default. */
  readonly text?: string | undefined;
  readonly value: string;
  readonly groups: readonly ChoiceGroup[];
  readonly onValue: (value: string) => void;
  /** True for a chip that offers something to add. */
  readonly isOffer?: boolean;
  readonly problemId?: string | undefined;
}

/** Word of a sentence that a list changes. The list of the browser lies over the word, so that its keys work. */
export const ChoiceChip = (props: ChoiceChipProps) => {
  const { label, value, groups, onValue, isOffer = false, problemId } = props;
  const chosen = groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value);
  const options = ({ choices }: ChoiceGroup) =>
    choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.label}
      </option>
    ));
  return (
    <span class={`chip ${isOffer ? 'chip-offer' : ''} ${problemId === undefined ? '' : 'chip-bad'}`}>
      <span aria-hidden="true">{props.text ?? chosen?.label ?? value}</span>
      <select
        aria-label={label}
        aria-invalid={problemId === undefined ? undefined : true}
        aria-describedby={problemId}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {groups.map((group) =>
          group.label === undefined ? (
            options(group)
          ) : (
            <optgroup key={group.label} label={group.label}>
              {options(group)}
            </optgroup>
          ),
        )}
      </select>
    </span>
  );
};

interface TextChipProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  /** Returns the text after a step up or down; undefined if the text has no steps. */
  readonly onStep?: (step: number) => string | undefined;
  readonly unit?: string | undefined;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isNumber?: boolean;
  readonly problemId?: string | undefined;
}

/** Steps of a key; ten times as many with Shift. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

const LEAST_SIZE = 2;

/** Word of a sentence that is typed. Arrows step a number, Enter leaves it, and Escape brings back the text of before. */
export const TextChip = (props: TextChipProps) => {
  const { label, value, onValue, onStep, unit, isNumber = false, problemId, placeholder, maxLength } = props;
  const before = useRef(value);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const { currentTarget: input } = event;
    if (!(input instanceof HTMLInputElement)) return;
    if (event.key === 'Escape') {
      if (before.current !== value) onValue(before.current);
      input.blur();
    } else if (event.key === 'Enter') {
      before.current = value;
      input.select();
    } else {
      const step = STEPS[event.key];
      const next = step === undefined ? undefined : onStep?.(event.shiftKey ? step * 10 : step);
      if (next === undefined) return;
      onValue(next);
    }
    event.preventDefault();
  };
  return (
    <span class={`chip ${problemId === undefined ? '' : 'chip-bad'}`}>
      <input
        type="text"
        aria-label={label}
        aria-invalid={problemId === undefined ? undefined : true}
        aria-describedby={problemId}
        inputMode={isNumber ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        maxLength={maxLength}
        size={Math.max(LEAST_SIZE, (value || (placeholder ?? '')).length)}
        value={value}
        onFocus={({ currentTarget }) => {
          before.current = value;
          currentTarget.select();
        }}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {unit !== undefined && <span class="chip-unit">{unit}</span>}
    </span>
  );
};
