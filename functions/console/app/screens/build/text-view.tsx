import { useId } from 'preact/hooks';
import { readText } from '../../rules/draft-text.ts';
import type { Json } from '../../rules/json.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface TextViewProps {
  readonly text: string;
  /** Takes a typed text, and the rules in it if it can be read. */
  readonly onText: (text: string, draft: Json | undefined) => void;
  /** Returns to the last text that could be read. */
  readonly onDiscard: () => void;
}

/** Rules as a text, with the same check as the rows. */
export const TextView = ({ text, onText, onDiscard }: TextViewProps) => {
  const id = useId();
  const read = readText(text);
  const fault = 'fault' in read ? read.fault : undefined;
  return (
    <section class="stack">
      <label for={id}>Rules as text, in the format hub.rules/1</label>
      <textarea
        id={id}
        class="rules-text"
        value={text}
        spellcheck={false}
        rows={24}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onInput={({ currentTarget }) => {
          const typed = readText(currentTarget.value);
          onText(currentTarget.value, 'draft' in typed ? typed.draft : undefined);
        }}
      />
      {fault !== undefined && (
        <div id={`${id}-fault`}>
          <Notice kind="warn" isNew>
            {fault} <Button onClick={onDiscard}>Discard the text since then</Button>
          </Notice>
        </div>
      )}
    </section>
  );
};
