import type { ComponentChildren } from 'preact';
import { appendTo, changeKind, insertAfter, moveCondition, removeCondition } from '../../rules/edits.ts';
import { getAt, type Path, pathKey } from '../../rules/json.ts';
import { type ConditionChoice, newCondition } from '../../rules/new-conditions.ts';
import { conditionKindOf, innerPaths } from '../../rules/parts.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip } from './chip.tsx';
import { conditionChoice, conditionGroups } from './condition-menu.ts';
import { ConditionTools } from './condition-tools.tsx';
import { ConditionWords } from './condition-words.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { SearchChip } from './search-chip.tsx';

/** Sign of a condition at the bar of the chart. */
const Held = ({ path }: { readonly path: Path }) => {
  const holds = useEditor().held?.get(pathKey(path));
  if (holds === undefined) return <span class="held" aria-hidden="true" />;
  const text = holds ? 'Holds at this bar of the chart' : 'Does not hold at this bar of the chart';
  return (
    <span class={`held ${holds ? 'held-yes' : 'held-no'}`} role="img" aria-label={text} title={text}>
      {holds ? '✓' : '·'}
    </span>
  );
};

const JOINERS = [
  { value: 'all', label: 'and' },
  { value: 'any', label: 'or' },
];

/** Word between the members of a group. */
const Joiner = ({ path, group }: { readonly path: Path; readonly group: 'all' | 'any' }) => {
  const { draft, edit } = useEditor();
  return (
    <ChoiceChip
      label="All or any of the group"
      value={group}
      groups={[{ choices: JOINERS }]}
      onValue={(chosen) => edit(changeKind(draft, path, chosen === 'any' ? 'any' : 'all'))}
    />
  );
};

interface LineProps {
  readonly path: Path;
  readonly label: string;
  /** Word before the condition. */
  readonly before?: ComponentChildren;
}

/** A condition as a sentence, with the conditions within below it. */
export const ConditionLines = ({ path, label, before }: LineProps) => {
  const { draft, problems, edit } = useEditor();
  const value = getAt(draft, path);
  const kind = conditionKindOf(value);
  const group = kind === 'all' || kind === 'any' ? kind : undefined;
  const inner = innerPaths(value, path);
  const problem = problems.get(pathKey(path)) ?? (group && problems.get(pathKey([...path, group])));
  const isOutermost = typeof path.at(-1) !== 'number';
  // The joining words say it all for a group of two or more.
  const hasLine = !group || !isOutermost || inner.length < 2;
  const add = (choice: ConditionChoice): void =>
    edit(
      group ? appendTo(draft, path, newCondition(choice)) : insertAfter(draft, path, newCondition(choice)),
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || event.defaultPrevented) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === -1 || step === 1) edit(moveCondition(draft, path, step));
    else if (event.key === 'Enter') edit(insertAfter(draft, path, newCondition('comparison')));
    else if (event.key === 'Delete') edit(removeCondition(draft, path));
    else return;
    event.preventDefault();
  };
  return (
    <fieldset class="condition" id={placeId(path)} onKeyDown={onKeyDown}>
      <legend class="unseen">{label}</legend>
      {hasLine && (
        <div class="line">
          <Held path={path} />
          <span class="line-words">
            {before}
            <ConditionWords path={path} kind={kind} />
          </span>
          <ConditionTools path={path} kind={kind} />
        </div>
      )}
      {problem !== undefined && <p class="field-error">{problem}</p>}
      {inner.length > 0 && (
        <div class={hasLine ? 'condition-inner' : 'condition-list'}>
          {inner.map((each, index) => (
            <ConditionLines
              key={pathKey(each)}
              path={each}
              label={group ? `Condition ${index + 1}` : 'Condition'}
              before={
                group && index > 0 ? <Joiner path={path} group={group} /> : hasLine ? undefined : before
              }
            />
          ))}
        </div>
      )}
      {(group || isOutermost) && (
        <div class="line-add">
          <Button kind="quiet" aria-keyshortcuts="Alt+Enter" onClick={() => add('comparison')}>
            + {group === 'any' ? 'or' : 'and'} a condition
          </Button>
          <SearchChip
            label="Add a condition of another kind"
            text="+ other kinds"
            value=""
            groups={conditionGroups(path)}
            isOffer
            onValue={(chosen) => {
              const choice = conditionChoice(path, chosen);
              if (choice) add(choice);
            }}
          />
        </div>
      )}
    </fieldset>
  );
};
