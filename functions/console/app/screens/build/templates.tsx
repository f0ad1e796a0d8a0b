import { useState } from 'preact/hooks';
import type { StrategyTemplateOut } from '../../../../../infra/client/package/src/index.ts';
import { hub } from '../../hub.ts';
import { CHOICE_LABELS } from '../../rules/labels.ts';
import { RulesView } from '../../rules/rules-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { TEMPLATE_GROUPS } from './template-groups.ts';

interface TemplatesProps {
  readonly onChoose: (template: StrategyTemplateOut | undefined) => void;
}

interface TemplateProps {
  readonly of: StrategyTemplateOut;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onUse: () => void;
}

const Template = ({ of: template, isOpen, onOpen, onUse }: TemplateProps) => (
  <li class={isOpen ? 'template template-open' : 'template'}>
    <button type="button" class="template-head" aria-expanded={isOpen} onClick={onOpen}>
      <strong>{template.name}</strong>
      <span class="muted">{template.description}</span>
    </button>
    {isOpen && (
      <div class="stack">
        <p class="rules-sentence">{template.sentence}</p>
        <p class="muted">
          Fits bars of {template.timeframes.map((each) => CHOICE_LABELS[each] ?? each).join(', ')}.
        </p>
        <details>
          <summary>Show its rules</summary>
          <RulesView rules={template.rules} hasSentence={false} />
        </details>
        <div>
          <Button kind="primary" onClick={onUse}>
            Use this template
          </Button>
        </div>
      </div>
    )}
  </li>
);

/** Returns the templates by group. Those of a newer version of the service are in a group of their own. */
const grouped = (templates: readonly StrategyTemplateOut[]): [string, StrategyTemplateOut[]][] => {
  const known = Object.values(TEMPLATE_GROUPS).flat();
  const groups = Object.entries(TEMPLATE_GROUPS).map(([label, keys]): [string, StrategyTemplateOut[]] => [
    label,
    keys.flatMap((key) => templates.find((each) => each.key === key) ?? []),
  ]);
  const others = templates.filter(({ key }) => !known.includes(key));
  return [...groups, ['Others', others] as [string, StrategyTemplateOut[]]].filter(
    ([, members]) => members.length > 0,
  );
};

const Choice = ({
  templates,
  onChoose,
}: TemplatesProps & { readonly templates: readonly StrategyTemplateOut[] }) => {
  const [open, setOpen] = useState<string>();
  return (
    <>
      <div class="template-groups">
        {grouped(templates).map(([label, members]) => (
          <section key={label} aria-label={label}>
            <h3 class="part-name">{label}</h3>
            <ul class="template-list">
              {members.map((each) => (
                <Template
                  key={each.key}
                  of={each}
                  isOpen={each.key === open}
                  onOpen={() => setOpen(each.key === open ? undefined : each.key)}
                  onUse={() => onChoose(each)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Button onClick={() => onChoose(undefined)}>Begin from nothing</Button>
    </>
  );
};

/** Choice of ready-made rules to begin with. */
export const Templates = ({ onChoose }: TemplatesProps) => {
  const templates = useResource((signal) => hub.getStrategyTemplates({}, { signal }), []);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="card builder-templates"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Begin with a template…</summary>
      <Loaded of={templates}>
        {(list) => (
          <Choice
            templates={list}
            onChoose={(chosen) => {
              onChoose(chosen);
              setOpen(false);
            }}
          />
        )}
      </Loaded>
    </details>
  );
};
