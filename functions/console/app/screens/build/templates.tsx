import { useState } from 'preact/hooks';
import type { StrategyTemplateOut } from '../../../../../infra/client/package/src/index.ts';
import { hub } from '../../hub.ts';
import { CHOICE_LABELS } from '../../rules/labels.ts';
import { RulesView } from '../../rules/rules-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';

interface TemplatesProps {
  readonly onChoose: (template: StrategyTemplateOut | undefined) => void;
}

const NONE = '';

const Choice = ({
  templates,
  onChoose,
}: TemplatesProps & { readonly templates: readonly StrategyTemplateOut[] }) => {
  const [key, setKey] = useState(NONE);
  const [used, setUsed] = useState(NONE);
  const chosen = templates.find((each) => each.key === key);
  return (
    <>
      <div class="slots">
        <div class="slot slot-wide">
          <Field label="Template">
            <Select
              value={key}
              onValue={setKey}
              options={[
                { value: NONE, label: 'From nothing' },
                ...templates.map((each) => ({ value: each.key, label: each.name })),
              ]}
            />
          </Field>
        </div>
        <Button
          onClick={() => {
            setUsed(key);
            onChoose(chosen);
          }}
        >
          {chosen ? 'Use this template' : 'Begin from nothing'}
        </Button>
      </div>
      {chosen && key !== used && (
        <>
          <p>{chosen.description}</p>
          <p class="rules-sentence">{chosen.sentence}</p>
          <p class="muted">
            Fits bars of {chosen.timeframes.map((each) => CHOICE_LABELS[each] ?? each).join(', ')}.
          </p>
          <details>
            <summary>Show its rules</summary>
            <RulesView rules={chosen.rules} hasSentence={false} />
          </details>
        </>
      )}
    </>
  );
};

/** Choice of ready-made rules to begin with. */
export const Templates = ({ onChoose }: TemplatesProps) => {
  const templates = useResource((signal) => hub.getStrategyTemplates({}, { signal }), []);
  return (
    <details class="card builder-templates">
      <summary>Begin with a template…</summary>
      <Loaded of={templates}>{(list) => <Choice templates={list} onChoose={onChoose} />}</Loaded>
    </details>
  );
};
