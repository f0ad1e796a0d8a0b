import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Edit } from '../../rules/edits.ts';
import { type Json, type Path, pathKey } from '../../rules/json.ts';

/** State of the editor that its rows read and change. */
export interface Editor {
  readonly draft: Json;
  /** Problems by the key of their place. */
  readonly problems: ReadonlyMap<string, string>;
  /** Conditions that hold at the bar of the chart that is pointed at, else at its last bar, by the key of their place. */
  readonly held: ReadonlyMap<string, boolean> | undefined;
  /** Words of the conditions on the chart, by the key of their place. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names of the declared parameters. */
  readonly params: readonly string[];
  /** Changes the rules. Changes with the same `field` in a row are undone at once. */
  readonly change: (draft: Json, field?: string) => void;
  /** Changes the rules and moves the focus. */
  readonly edit: (edit: Edit) => void;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

/** Returns the editor around a row. */
export const useEditor = (): Editor => {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('a row is outside of the editor');
  return editor;
};

/** Returns the id of the element that shows a place of the rules. */
export const placeId = (path: Path): string => `at-${pathKey(path)}`;

/** Moves the focus to the first control of a place, and opens what hides it. */
export const focusPlace = (path: Path): void => {
  for (let length = path.length; length > 0; length -= 1) {
    const element = document.getElementById(placeId(path.slice(0, length)));
    if (!element) continue;
    for (
      let outer = element.closest('details');
      outer;
      outer = outer.parentElement?.closest('details') ?? null
    ) {
      outer.open = true;
    }
    const control = element.querySelector<HTMLElement>('select, input, textarea, button');
    (control ?? element).focus();
    return;
  }
};
