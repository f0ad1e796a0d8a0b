import { useState } from 'preact/hooks';
import { hub, ME } from '../hub.ts';
import { keptValues } from '../kept.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { InstrumentsField } from '../ui/instruments-field.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { useKept, useKeptText } from '../ui/use-kept.ts';
import { useOnce } from '../ui/use-once.ts';

/** Strategy to copy. */
export interface CopySource {
  readonly strategy_key: string;
  readonly strategy_name: string;
  readonly symbols: readonly string[];
}

const SYMBOLS = keptValues<readonly string[]>();
interface Copy {
  readonly id: number;
  readonly name: string;
}

export interface CopyFormProps {
  readonly source: CopySource;
  readonly onClose: () => void;
}

/** Form that copies a strategy under a name and for instruments of the user's choice. */
export const CopyForm = ({ source, onClose }: CopyFormProps) => {
  const [name, setName] = useKeptText(`name of ${source.strategy_key}`, source.strategy_name);
  const [symbols, setSymbols] = useKept(SYMBOLS, source.strategy_key, () => source.symbols);
  const [copy, setCopy] = useState<Copy>();
  const once = useOnce();
  const action = useAction(async () => {
    let made = copy;
    if (!made) {
      if (symbols.length === 0) return;
      const symbol = symbols === source.symbols ? undefined : symbols.join(',');
      const asked = { user_id: ME, strategy_key: source.strategy_key, symbol };
      const answer = await once(asked, (options) => hub.copyStrategy(asked, options));
      made = { id: answer.strategy_id, name: answer.strategy_name };
      setCopy(made);
    }
    // The copy has the name of its source, or a new one if the user has that already.
    const wanted = name.trim();
    if (wanted !== '' && wanted !== source.strategy_name && wanted !== made.name) {
      await hub.renameStrategy({ user_id: ME, strategy_id: made.id, strategy_name: wanted });
    }
    onClose();
    navigate(`/strategies/${made.id}`);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <p>
        You get a private strategy of your own, with the same rules. Later changes of the author do not reach
        it, and yours do not reach the author.
      </p>
      <Field label="Name" hint="If you have a strategy of this name, the copy gets an addition to it.">
        <TextInput value={name} onValue={setName} maxLength={100} required />
      </Field>
      {!copy && (
        <InstrumentsField
          symbols={symbols}
          error={symbols.length === 0 && 'Choose at least one instrument.'}
          onSymbols={setSymbols}
        />
      )}
      <Problem of={action.error} />
      {copy && action.error !== undefined && (
        <Notice kind="warn" isNew>
          The copy was made and is named “{copy.name}”. Try another name, or{' '}
          <a href={`#/strategies/${copy.id}`} onClick={onClose}>
            open it as it is
          </a>
          .
        </Notice>
      )}
      <div class="actions dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button submit kind="primary" busy={action.isBusy}>
          {copy ? 'Rename the copy' : 'Copy'}
        </Button>
      </div>
    </form>
  );
};
