import { useState } from 'preact/hooks';
import { format } from '../../../format.ts';
import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, useConfirmed } from '../../../ui/dialog.tsx';
import { Notice, Problem } from '../../../ui/notice.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import type { FactorsProps } from './factors-props.ts';

interface NewCodesProps {
  readonly codes: readonly string[];
  readonly onHide: () => void;
}

/** Recovery codes, which are shown once. */
const NewCodes = ({ codes, onHide }: NewCodesProps) => {
  const [isCopied, setCopied] = useState(false);
  const text = codes.join('\n');
  return (
    <div class="stack secret">
      <Notice kind="warn">
        Copy or print them now, and keep them apart from your devices. They are shown this once.
      </Notice>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        {'clipboard' in navigator && (
          <Button
            kind="primary"
            onClick={async () => {
              await navigator.clipboard.writeText(text);
              setCopied(true);
            }}
          >
            Copy
          </Button>
        )}
        <Button onClick={() => saveFile('recovery-codes.txt', `${text}\n`, 'text/plain')}>Download</Button>
        <Button onClick={onHide}>I have them, hide them</Button>
        <span role="status">{isCopied && 'Copied.'}</span>
      </div>
    </div>
  );
};

/** Recovery codes of the user. */
export const RecoveryCodes = ({ factors, onChange }: FactorsProps) => {
  const [codes, setCodes] = useState<readonly string[]>();
  const left = factors.recovery_codes;
  const make = useConfirmed(async (_: true) => {
    const made = await hub.makeRecoveryCodes({ user_id: ME });
    setCodes(made.recovery_codes);
    onChange();
  });
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title">Recovery codes</h2>
      <p>For the day on which you have lost every other factor. Each works once.</p>
      {codes ? (
        <NewCodes codes={codes} onHide={() => setCodes(undefined)} />
      ) : (
        <>
          <p>{left === 0 ? 'You have none.' : `You have ${format.count(left)} left.`}</p>
          <div class="actions">
            <Button
              kind={left === 0 ? 'primary' : 'plain'}
              busy={make.isBusy}
              onClick={() => (left === 0 ? void make.run(true) : make.ask(true))}
            >
              {left === 0 ? 'Make recovery codes' : 'Make new ones…'}
            </Button>
          </div>
        </>
      )}
      {!make.asked && <Problem of={make.error} />}
      <Confirm title="Make new recovery codes?" action="Make new ones" {...make.dialog}>
        <p>Those that you have now no longer work.</p>
      </Confirm>
    </section>
  );
};
