import { createElement } from 'preact';
import { useState } from 'preact/hooks';
import { Field, useControl } from '../../ui/field.tsx';

const Input = ({ onFile }: { readonly onFile: (file: File) => void }) =>
  createElement('input', {
    ...useControl(),
    type: 'file',
    accept: '.csv,.txt,.tsv,.json,text/csv,text/plain,application/json',
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      const [file] = currentTarget.files ?? [];
      if (file) onFile(file);
    },
  });

interface FileFieldProps {
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
}

/** Choice of a file, which can also be dropped here. */
export const FileField = ({ file, onFile }: FileFieldProps) => {
  const [isOver, setOver] = useState(false);
  return (
    <section
      class={isOver ? 'drop drop-over' : 'drop'}
      aria-label="File of candles"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = event.dataTransfer?.files;
        const [dropped] = files ?? [];
        const input = event.currentTarget.querySelector('input');
        if (!files || !dropped || !input) return;
        // The control names the file as if it was chosen.
        input.files = files;
        onFile(dropped);
      }}
    >
      <Field
        label="File"
        hint="CSV, text or JSON, as MetaTrader, TradingView, Yahoo, Stooq, Binance and others write it. Choose it, or drop it here. It is read in this browser."
      >
        <Input onFile={onFile} />
      </Field>
      <p role="status" class="unseen">
        {file && `Chosen: ${file.name}`}
      </p>
    </section>
  );
};
