import { createElement } from 'preact';
import { useState } from 'preact/hooks';
import type { Rules } from '../../../../infra/client/package/src/index.ts';
import { Button } from '../ui/button.tsx';
import { Field, useControl } from '../ui/field.tsx';
import { useKeptText } from '../ui/use-kept.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tells rules from other JSON. The service checks the rest and names each fault. */
const isRules = (value: unknown): value is Rules =>
  isRecord(value) &&
  value.schema === 'hub.rules/1' &&
  Array.isArray(value.entries) &&
  Object.values(isRecord(value.params) ? value.params : {}).every(
    (param) => isRecord(param) && typeof param.default === 'number',
  );

const rulesIn = (text: string): Rules | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRules(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const Area = ({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) =>
  createElement('textarea', {
    ...useControl(),
    value,
    rows: 10,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
      onValue(currentTarget.value),
  });

/** Input of rules as JSON. */
export const GivenRules = ({ onRules }: { readonly onRules: (rules: Rules) => void }) => {
  const [text, setText] = useKeptText('given rules');
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        const rules = rulesIn(text);
        setWrong(rules === undefined);
        if (rules) onRules(rules);
      }}
    >
      <Field
        label="Rules as JSON"
        hint="In the format hub.rules/1, as the builder shows them as text."
        error={
          isWrong &&
          'This is not JSON in the format hub.rules/1 with entries. Copy the rules from the builder.'
        }
      >
        <Area value={text} onValue={setText} />
      </Field>
      <div class="actions">
        <Button submit>Take these rules</Button>
      </div>
    </form>
  );
};
