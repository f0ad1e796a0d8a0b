import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

interface SecretProps {
  readonly label: string;
  readonly value: string;
  readonly onHide: () => void;
}

/** Secret that is shown once, with a button to copy it. */
export const Secret = ({ label, value, onHide }: SecretProps) => {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="stack secret">
      <Notice kind="warn">Copy it now. It is shown this once.</Notice>
      <Field label={label}>
        <TextInput value={value} onValue={() => undefined} readOnly spellcheck={false} autocomplete="off" />
      </Field>
      <div class="actions">
        {'clipboard' in navigator && (
          <Button
            kind="primary"
            onClick={async () => {
              await navigator.clipboard.writeText(value);
              setCopied(true);
            }}
          >
            Copy
          </Button>
        )}
        <Button onClick={onHide}>I have it, hide it</Button>
        <span role="status">{isCopied && 'Copied.'}</span>
      </div>
    </div>
  );
};
