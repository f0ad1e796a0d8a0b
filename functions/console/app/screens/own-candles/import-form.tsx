import { useState } from 'preact/hooks';
import type {
  InstrumentSuggestion,
  OwnCandles,
  OwnCandlesIn,
} from '../../../../../infra/client/package/src/index.ts';
import type { Timeframe } from '../../backtests/draft.ts';
import { TIMEFRAMES } from '../../backtests/terms-fields.tsx';
import type { Reviewed } from '../../candles/read-file.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { InstrumentsField } from '../../ui/instruments-field.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useKeptText } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { Choices, type Named, NOTHING_NAMED } from './choices.tsx';
import { FileField } from './file-field.tsx';
import { Review } from './review.tsx';

/** Imports a part for the user of the session. */
const send = (body: OwnCandlesIn) => hub.importOwnCandles({ user_id: ME, body });

type Adjustment = NonNullable<OwnCandlesIn['adjustment']>;

const ADJUSTMENTS: readonly { readonly value: Adjustment; readonly label: string }[] = [
  { value: 'none', label: 'Not adjusted' },
  { value: 'splits', label: 'For splits' },
  { value: 'splits_dividends', label: 'For splits and dividends' },
];

/** Milliseconds without typing after which the file is read again. */
const SETTLE_MS = 400;
const PERCENT = 100;

/** Reads a file with the reader, which is loaded with the first file. */
const useReview = (
  file: File | undefined,
  instrument: InstrumentSuggestion | undefined,
  timeframe: Timeframe,
  named: Named,
  known: OwnCandles | undefined,
) => {
  const columns = useDebounced(named.columns, SETTLE_MS);
  const choices = {
    ...named,
    columns,
    anchor: known ? ('' as const) : named.anchor,
    storedOpening: known?.session_open ?? undefined,
  };
  return useResource(
    async (signal): Promise<Reviewed | null> => {
      if (!file || !instrument) return null;
      const { readCandleFile } = await import('../../candles/read-file.ts');
      return readCandleFile(file, { ...choices, instrument, timeframe }, signal);
    },
    [file?.name, file?.size, file?.lastModified, instrument?.symbol, timeframe, choices],
  );
};

/** Returns whether candles may start with the session: those within a day, of markets that open and close each day. */
const hasAnchor = (instrument: InstrumentSuggestion | undefined, timeframe: Timeframe): boolean =>
  timeframe !== '1d' &&
  timeframe !== '1w' &&
  (instrument?.asset_class === 'equity' || instrument?.asset_class === 'index');

interface ImportFormProps {
  readonly stored: readonly OwnCandles[];
  readonly onImported: () => void;
}

/** Form that reads a file, shows what is in it, and imports its candles. */
export const ImportForm = ({ stored, onImported }: ImportFormProps) => {
  const [file, setFile] = useState<File>();
  const [instrument, setInstrument] = useState<InstrumentSuggestion>();
  const [timeframe, setTimeframe] = useState<Timeframe>('1d');
  const [named, setNamed] = useState<Named>(NOTHING_NAMED);
  const [source, setSource] = useKeptText('source');
  const [adjustment, setAdjustment] = useState<Adjustment>('none');
  const [done, setDone] = useState(0);
  const [imported, setImported] = useState<OwnCandles>();
  const known = stored.find((one) => one.symbol === instrument?.symbol && one.timeframe === timeframe);
  const read = useReview(file, instrument, timeframe, named, known);
  const { review, problem } = read.value ?? {};
  const action = useAction(async () => {
    if (!review || !instrument) return;
    setDone(0);
    setImported(undefined);
    const { sendCandles } = await import('../../candles/send-candles.ts');
    const series = {
      symbol: instrument.symbol,
      timeframe,
      source: known?.source ?? (source.trim() || review.program),
      adjustment: known?.adjustment ?? adjustment,
      ...(review.sessionOpen !== undefined && { session_open: review.sessionOpen }),
    };
    setImported(await sendCandles(send, series, review.rows, setDone));
    onImported();
  });
  const count = review?.rows.length ?? 0;
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <h2>Import a file</h2>
      <FileField
        file={file}
        onFile={(chosen) => {
          setFile(chosen);
          setNamed(NOTHING_NAMED);
          setImported(undefined);
        }}
      />
      <InstrumentsField
        hint="The instrument of the candles. It gives the exchange, its time zone and its holidays."
        symbols={instrument ? [instrument.symbol] : []}
        onSymbols={(symbols) => {
          if (symbols.length === 0) setInstrument(undefined);
        }}
        onInstrument={setInstrument}
      />
      <div class="cards">
        <Field label="Length of a candle">
          <Select value={timeframe} options={TIMEFRAMES} onValue={setTimeframe} />
        </Field>
        {known ? (
          <p class="muted">
            These candles go to those of {known.source} that you have. Candles with the same start are
            replaced.
          </p>
        ) : (
          <>
            <Field label="Source" hint="A name for you. Empty: that of the program of the file.">
              <TextInput value={source} onValue={setSource} maxLength={64} />
            </Field>
            <Field label="Prices are adjusted">
              <Select value={adjustment} options={ADJUSTMENTS} onValue={setAdjustment} />
            </Field>
          </>
        )}
      </div>
      {file && (
        <Choices
          named={named}
          onNamed={setNamed}
          needed={[problem?.choice, review?.doubt?.choice]}
          hasAnchor={!known && hasAnchor(instrument, timeframe)}
        />
      )}
      {file && !instrument && <p role="status">Choose the instrument to see what is in the file.</p>}
      {file && instrument && read.isLoading && !review && !problem && <p role="status">Reading the file…</p>}
      <Problem of={read.error} />
      {problem && (
        <Notice kind="bad" isNew>
          {problem.text}
        </Notice>
      )}
      {review && <Review review={review} timeframe={timeframe} />}
      {action.isBusy && (
        <p role="status">
          Importing… <Meter percent={(PERCENT * done) / Math.max(1, count)} />
        </p>
      )}
      <Problem of={action.error} />
      {imported && (
        <Notice kind="good">
          Imported. {imported.symbol}, {imported.timeframe} now has {format.count(imported.count)} candles.{' '}
          <a href="#/backtests/new">Test rules on them</a>: tick “Use my candles”.
        </Notice>
      )}
      <div class="actions">
        <Button submit kind="primary" busy={action.isBusy} disabled={count === 0 || read.isLoading}>
          Import {format.count(count)} candles
        </Button>
      </div>
    </form>
  );
};
