import { useId, useState } from 'preact/hooks';
import { Suggestion, Suggestions, suggestionKey } from '../../ui/suggestions.tsx';
import type { ChoiceGroup } from './chip.tsx';

interface SearchChipProps {
  /** Name for screen readers. */
  readonly label: string;
  /** Text of the chip while it is not searched. */
  readonly text: string;
  readonly value: string;
  readonly groups: readonly ChoiceGroup[];
  readonly onValue: (value: string) => void;
  /** True for a chip that offers something to add. */
  readonly isOffer?: boolean;
  readonly problemId?: string | undefined;
}

const LEAST_SIZE = 2;

/** Returns the choices with all typed words in their names or that of their group. */
const found = (groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] => {
  const words = typed.toLowerCase().split(/\s+/);
  return groups.flatMap((group) => {
    const choices = group.choices.filter(({ value, label }) => {
      const text = `${label} ${value} ${group.label ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return choices.length > 0 ? [{ ...group, choices }] : [];
  });
};

/** Word of a sentence that a long list changes: typing filters the list, arrows and Enter choose. */
export const SearchChip = (props: SearchChipProps) => {
  const { label, text, value, groups, onValue, isOffer = false, problemId } = props;
  const listId = useId();
  /** Undefined while the list is closed. */
  const [typed, setTyped] = useState<string>();
  const [moved, setMoved] = useState<number>();
  const isOpen = typed !== undefined;
  const wish = (typed ?? '').trim().toLowerCase();
  const shown = isOpen ? found(groups, wish) : [];
  const choices = shown.flatMap((group) => group.choices);
  const best = choices.findIndex((choice) =>
    wish === '' ? choice.value === value : choice.label.toLowerCase().startsWith(wish),
  );
  const at = Math.min(moved ?? Math.max(best, 0), choices.length - 1);
  const search = (next: string | undefined): void => {
    setTyped(next);
    setMoved(undefined);
  };
  const choose = (chosen: string | undefined): void => {
    if (chosen === undefined) return;
    search(undefined);
    if (chosen !== value) onValue(chosen);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOpen) {
      suggestionKey(event, {
        count: choices.length,
        at,
        onActive: setMoved,
        onEnter: () => choose(choices[at]?.value),
        onEscape: () => search(undefined),
      });
    } else if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key) && !event.altKey) {
      search('');
      event.preventDefault();
    }
  };
  const idOf = (choice: string): string => `${listId}-${choice}`;
  return (
    <>
      <span class={`chip ${isOffer ? 'chip-offer' : ''} ${problemId === undefined ? '' : 'chip-bad'}`}>
        <input
          type="text"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={choices[at] && idOf(choices[at].value)}
          aria-invalid={problemId === undefined ? undefined : true}
          aria-describedby={problemId}
          autocomplete="off"
          spellcheck={false}
          placeholder={text}
          size={Math.max(LEAST_SIZE, (typed || text).length)}
          value={typed ?? text}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => {
            if (!isOpen) search('');
          }}
          onBlur={() => search(undefined)}
          onInput={({ currentTarget }) => search(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </span>
      <div class="chip-list">
        {isOpen && choices.length === 0 && (
          <p class="muted" role="status">
            Nothing found. Try another word.
          </p>
        )}
        <Suggestions id={listId} label={`Choices of ${label}`} isOpen={choices.length > 0}>
          {shown.map((group, index) => (
            <fieldset key={group.label ?? index} aria-label={group.label}>
              {group.label !== undefined && (
                <div class="suggestions-head" aria-hidden="true">
                  {group.label}
                </div>
              )}
              {group.choices.map((choice) => (
                <Suggestion
                  key={choice.value}
                  id={idOf(choice.value)}
                  isActive={choices[at] === choice}
                  onChoose={() => choose(choice.value)}
                >
                  {choice.label}
                </Suggestion>
              ))}
            </fieldset>
          ))}
        </Suggestions>
      </div>
    </>
  );
};
