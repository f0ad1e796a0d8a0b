import { getAt, isList, type Path, pathKey, setAt } from '../../rules/json.ts';
import { DAY_LABELS } from '../../rules/labels.ts';
import { Checkbox } from '../../ui/field.tsx';
import { TextChip } from './chip.tsx';
import { placeId, useEditor } from './editor-context.ts';

/** Time of day, as a text that the check judges. */
export const TimeChip = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems, change } = useEditor();
  const value = getAt(draft, path);
  const problem = problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  return (
    <span class="slot" id={placeId(path)}>
      <TextChip
        label={label}
        value={typeof value === 'string' ? value : ''}
        onValue={(typed) => change(setAt(draft, path, typed.trim()), pathKey(path))}
        placeholder="HH:MM"
        maxLength={5}
        problemId={problemId}
      />
      {problem !== undefined && (
        <span class="field-error" id={problemId}>
          {problem}
        </span>
      )}
    </span>
  );
};

/** Checkboxes of the days of the week. */
export const DayFields = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems, change } = useEditor();
  const value = getAt(draft, path);
  const days = isList(value) ? value : Object.keys(DAY_LABELS);
  const problem = problems.get(pathKey(path));
  return (
    <fieldset class="days" id={placeId(path)}>
      <legend class="unseen">{label}</legend>
      <span aria-hidden="true">{label}</span>
      {Object.entries(DAY_LABELS).map(([day, name]) => (
        <Checkbox
          key={day}
          checked={days.includes(day)}
          onChecked={(isChosen) =>
            change(
              setAt(
                draft,
                path,
                Object.keys(DAY_LABELS).filter((each) => (each === day ? isChosen : days.includes(each))),
              ),
            )
          }
        >
          {name}
        </Checkbox>
      ))}
      {problem && <p class="field-error">{problem}</p>}
    </fieldset>
  );
};
