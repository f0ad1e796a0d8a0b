import type { ComponentChildren } from 'preact';

interface SuggestionProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}

/** One of the suggestions under an input. */
export const Suggestion = ({ id, isActive, onChoose, children }: SuggestionProps) => (
  <div
    id={id}
    tabIndex={-1}
    role="option"
    aria-selected={isActive}
    class="suggestion"
    // The input keeps the focus, so that typing goes on.
    onPointerDown={(event) => event.preventDefault()}
    onClick={onChoose}
    onKeyDown={({ key }) => {
      if (key === 'Enter') onChoose();
    }}
    ref={(element) => {
      if (isActive) element?.scrollIntoView({ block: 'nearest' });
    }}
  >
    {children}
  </div>
);

interface SuggestionsProps {
  readonly id: string;
  readonly label: string;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

/** List under an input, from which one is chosen. */
export const Suggestions = ({ id, label, isOpen, children }: SuggestionsProps) => (
  <div id={id} role="listbox" tabIndex={-1} aria-label={label} class="suggestions" hidden={!isOpen}>
    {isOpen && children}
  </div>
);

interface Keys {
  readonly count: number;
  /** Index of the active suggestion. */
  readonly at: number;
  readonly onActive: (index: number) => void;
  readonly onEnter: () => void;
  readonly onEscape: () => void;
}

/** Moves through suggestions with the arrows, takes one with Enter, and leaves them with Escape. */
export const suggestionKey = (event: KeyboardEvent, { count, at, ...on }: Keys): void => {
  const { key } = event;
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const step = key === 'ArrowDown' ? 1 : -1;
    on.onActive((at + step + count) % Math.max(1, count));
  } else if (key === 'Enter') on.onEnter();
  else if (key === 'Escape') on.onEscape();
  else return;
  event.preventDefault();
  // Escape also closes a dialog around the input, and Enter sends its form.
  event.stopPropagation();
};
