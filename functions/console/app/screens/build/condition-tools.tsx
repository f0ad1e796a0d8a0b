import { canUnwrap, changeKind, moveCondition, removeCondition, unwrap } from '../../rules/edits.ts';
import { getAt, type Path } from '../../rules/json.ts';
import { type ConditionKind, patternForm } from '../../rules/parts.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip } from './chip.tsx';
import { conditionChoice, conditionGroups } from './condition-menu.ts';
import { useEditor } from './editor-context.ts';

const UNGROUP = 'ungroup';

/** Changes of a condition as a whole. */
export const ConditionTools = ({ path, kind }: { readonly path: Path; readonly kind: ConditionKind }) => {
  const { draft, edit } = useEditor();
  const pattern = patternForm(getAt(draft, path));
  const isGrouped = typeof path.at(-1) === 'number';
  const other = kind === 'other' ? [{ choices: [{ value: 'other', label: 'As in the text' }] }] : [];
  const ungroup = canUnwrap(draft, path)
    ? [{ choices: [{ value: UNGROUP, label: 'Keep only what is inside' }] }]
    : [];
  const choose = (chosen: string): void => {
    const next = conditionChoice(path, chosen);
    if (next) edit(changeKind(draft, path, next));
    else if (chosen === UNGROUP) edit(unwrap(draft, path));
  };
  return (
    <span class="line-tools">
      {isGrouped && (
        <>
          <Button
            kind="quiet"
            aria-label="Move condition up"
            aria-keyshortcuts="Alt+ArrowUp"
            onClick={() => edit(moveCondition(draft, path, -1))}
          >
            ↑
          </Button>
          <Button
            kind="quiet"
            aria-label="Move condition down"
            aria-keyshortcuts="Alt+ArrowDown"
            onClick={() => edit(moveCondition(draft, path, 1))}
          >
            ↓
          </Button>
        </>
      )}
      <ChoiceChip
        label="Kind of condition"
        text="▾"
        value={pattern ? `pattern:${pattern.name}` : kind}
        onValue={choose}
        groups={[...other, ...conditionGroups(path), ...ungroup]}
      />
      <Button
        kind="quiet"
        aria-label="Remove condition"
        aria-keyshortcuts="Alt+Delete"
        onClick={() => edit(removeCondition(draft, path))}
      >
        ×
      </Button>
    </span>
  );
};
