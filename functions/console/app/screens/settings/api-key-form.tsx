import { HubApiError } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { useKept } from '../../ui/use-kept.ts';
import { useOnce } from '../../ui/use-once.ts';
import { EXPIRIES, type KeyDraft, keyOf, keyProblem, NEW_KEY, SCOPES } from './api-key-model.ts';

const DRAFTS = keptValues<KeyDraft>();

/** Tells whether a key was made and its text was in an answer that was lost. */
const isShownOnce = (error: unknown): boolean =>
  error instanceof HubApiError && error.code === 'answer_shown_once';

/** Asks for the name, scopes, expiry and addresses of a new API key. */
export const ApiKeyForm = ({ onDone }: { readonly onDone: (key: string) => void }) => {
  const [draft, setDraft] = useKept(DRAFTS, 'new API key', () => NEW_KEY);
  const change = (part: Partial<KeyDraft>): void => setDraft((held) => ({ ...held, ...part }));
  const once = useOnce();
  const make = useAction(async () => {
    const body = keyOf(draft);
    onDone((await once(body, (options) => hub.makeApiKey({ user_id: ME, body }, options))).api_key);
  });
  const unfinished = keyProblem(draft);
  const refused = fieldProblem(make.error, 'addresses');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (unfinished === undefined) void make.run();
      }}
    >
      <Field label="Name" hint="The program that uses it.">
        <TextInput value={draft.name} onValue={(name) => change({ name })} required maxLength={50} />
      </Field>
      <fieldset class="preference-group">
        <legend>It may</legend>
        {SCOPES.map(({ scope, label, hint }) => (
          <Checkbox
            key={scope}
            checked={draft.scopes.includes(scope)}
            onChecked={(isOn) => {
              const others = draft.scopes.filter((one) => one !== scope);
              change({ scopes: isOn ? [...others, scope] : others });
            }}
          >
            <strong>{label}</strong>. {hint}
          </Checkbox>
        ))}
      </fieldset>
      <Field label="It ends after">
        <Select value={draft.expiry} onValue={(expiry) => change({ expiry })} options={EXPIRIES} />
      </Field>
      <Field
        label="Only from these addresses"
        hint="Such as 203.0.113.7 or 2001:db8::/48, apart by spaces. Empty: from everywhere."
        error={refused}
      >
        <TextInput
          value={draft.addresses}
          onValue={(addresses) => change({ addresses })}
          spellcheck={false}
          autocomplete="off"
        />
      </Field>
      <Problem of={refused === undefined ? make.error : undefined}>
        {isShownOnce(make.error) && <> The key was made. Revoke it, and make another one.</>}
      </Problem>
      <p role="status" class="field-hint">
        {unfinished}
      </p>
      <div class="actions dialog-actions">
        <Button submit kind="primary" busy={make.isBusy} disabled={unfinished !== undefined}>
          Make the key
        </Button>
      </div>
    </form>
  );
};
