import { useState } from 'preact/hooks';
import { getAt, isList, isRecord, type Json, type Path, pathKey, setAt } from '../../rules/json.ts';
import { addParam, freeName, isParamUsed, removeParam, renameParam } from '../../rules/param-edits.ts';
import { NUMBER, SLOTS, type Slot } from '../../rules/schema-slots.ts';
import { changeSession } from '../../rules/section-edits.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { TextChip } from './chip.tsx';
import { DayFields, TimeChip } from './days.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { SlotChip } from './slot-chip.tsx';

const Flag = ({ name, children }: { readonly name: 'reverse' | 'pyramid'; readonly children: string }) => {
  const { draft, problems, change } = useEditor();
  const problem = problems.get(name);
  return (
    <div id={placeId([name])}>
      <Checkbox
        checked={getAt(draft, [name]) === true}
        onChecked={(value) => change(setAt(draft, [name], value))}
      >
        {children}
      </Checkbox>
      {problem && <p class="field-error">{problem}</p>}
    </div>
  );
};

interface OptionProps {
  readonly option: 'weekdays' | 'entries' | 'square_off';
  readonly initial: Json;
  readonly label: string;
}

/** Checkbox that adds an option of the session. */
const SessionOption = ({ option, initial, label }: OptionProps) => {
  const { draft, problems, change } = useEditor();
  const path: Path = ['session', option];
  const value = getAt(draft, path);
  const problem = problems.get(pathKey(path));
  return (
    <div class="stack" id={placeId(path)}>
      <Checkbox
        checked={value !== undefined}
        onChecked={(isChosen) => change(changeSession(draft, option, isChosen ? initial : undefined))}
      >
        {label}
      </Checkbox>
      {option === 'weekdays' && isList(value) && <DayFields path={path} label="Enters on" />}
      {option === 'entries' && isList(value) && (
        <div class="part-words">
          from <TimeChip path={[...path, 0]} label="From" /> to before{' '}
          <TimeChip path={[...path, 1]} label="To before" />
        </div>
      )}
      {option === 'square_off' && value !== undefined && (
        <div class="part-words">
          at <TimeChip path={path} label="At" />
        </div>
      )}
      {problem && option !== 'square_off' && !isList(value) && <p class="field-error">{problem}</p>}
    </div>
  );
};

const OPTIONAL_NUMBER: Slot = { ...NUMBER, isOptional: true, initial: undefined };

const ParamRow = ({ name }: { readonly name: string }) => {
  const { draft, problems, change, edit, params } = useEditor();
  const [typed, setTyped] = useState(name);
  const path: Path = ['params', name];
  const isTaken = typed !== name && params.includes(typed);
  const problem = isTaken ? 'Another parameter has this name.' : problems.get(pathKey(path));
  const problemId = `${placeId(path)}-problem`;
  return (
    <fieldset class="param" id={placeId(path)}>
      <legend class="unseen">Parameter {name}</legend>
      <div class="part-words">
        <TextChip
          label="Name"
          value={isTaken ? typed : name}
          onValue={(text) => {
            setTyped(text);
            change(renameParam(draft, name, text), `name of ${params.indexOf(name)}`);
          }}
          maxLength={32}
          problemId={problem === undefined ? undefined : problemId}
        />
        = <SlotChip path={[...path, 'default']} isFixed slot={NUMBER} label="Default" /> from{' '}
        <SlotChip path={[...path, 'min']} isFixed slot={OPTIONAL_NUMBER} label="Smallest" /> to{' '}
        <SlotChip path={[...path, 'max']} isFixed slot={OPTIONAL_NUMBER} label="Largest" />
        <Button
          kind="quiet"
          aria-label={`Remove parameter ${name}`}
          onClick={() => edit({ draft: removeParam(draft, name), focus: ['params'] })}
        >
          ×
        </Button>
      </div>
      {problem !== undefined && (
        <p class="field-error" id={problemId}>
          {problem}
        </p>
      )}
      {!isParamUsed(draft, name) && <p class="field-hint">No rule uses {name} yet.</p>}
    </fieldset>
  );
};

/** Parameters: numbers that copies and sweeps can tune. */
export const ParamSentences = () => {
  const { draft, problems, params, edit } = useEditor();
  const problem = problems.get('params');
  return (
    <section class="part" id={placeId(['params'])} tabIndex={-1} aria-label="Parameters">
      <h3>Parameters</h3>
      <p class="muted">
        “Tune” at a number gives it a name. Sweeps search for good values, and copies can change them.
      </p>
      {problem && <p class="field-error">{problem}</p>}
      {params.map((name, index) => (
        <ParamRow key={index} name={name} />
      ))}
      <div>
        <Button
          kind="quiet"
          onClick={() => {
            const name = freeName(draft, 'value');
            edit({ draft: addParam(draft, name, 1), focus: ['params', name] });
          }}
        >
          + Add parameter
        </Button>
      </div>
    </section>
  );
};

/** Words that concern all trades: reversing, adding, waiting, and times of the session. */
export const GeneralSentences = () => {
  const { draft } = useEditor();
  const session = getAt(draft, ['session']);
  return (
    <details class="part" open={session !== undefined || getAt(draft, ['reverse']) === true}>
      <summary>
        <h3>All trades and times</h3>
      </summary>
      <Flag name="reverse">An entry against an open trade closes it and opens the other side</Flag>
      <Flag name="pyramid">Add trades while others of the side are open</Flag>
      <div class="part-words">
        at most <SlotChip path={['max_trades']} slot={SLOTS.maxTrades} label="Most open trades" /> open
        trades; wait{' '}
        <SlotChip path={['cooldown_bars']} slot={SLOTS.cooldownBars} label="Bars to wait after a trade" />{' '}
        bars after one
      </div>
      <div class="stack" id={placeId(['session'])}>
        <p class="muted">Times and days are those of the exchange.</p>
        {(session === undefined || isRecord(session)) && (
          <>
            <SessionOption
              option="weekdays"
              initial={['mon', 'tue', 'wed', 'thu', 'fri']}
              label="Enter only on some days"
            />
            <SessionOption option="entries" initial={['09:45', '15:15']} label="Enter only at some times" />
            <SessionOption option="square_off" initial="15:55" label="Close everything at a time" />
          </>
        )}
      </div>
    </details>
  );
};
