import type { Choice } from '../../../../../shared/domain/candle-files/candle-file-error.ts';
import type { FileChoices } from '../../candles/read-file.ts';
import { Field, Select, TextInput } from '../../ui/field.tsx';

/** Facts of a file that may have to be named. */
export type Named = Pick<FileChoices, 'zone' | 'dates' | 'decimal' | 'columns' | 'anchor'>;

export const NOTHING_NAMED: Named = { zone: '', dates: '', decimal: '', columns: '', anchor: '' };

/** Zones that the list of the browser lacks. */
const MORE_ZONES = ['UTC', 'Etc/GMT+5', 'Etc/GMT-2', 'Etc/GMT-3'];

const ZONES = [...MORE_ZONES, ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

interface ChoicesProps {
  readonly named: Named;
  readonly onNamed: (named: Named) => void;
  /** Choices that the file needs. */
  readonly needed: readonly (Choice | undefined)[];
  /** True if candles within a day may start with the session, and no stored ones decide. */
  readonly hasAnchor: boolean;
}

/** Choices that decide how a file is read. Those that most files do not need appear when one does. */
export const Choices = ({ named, onNamed, needed, hasAnchor }: ChoicesProps) => {
  const isShown = (name: 'dates' | 'decimal' | 'columns'): boolean =>
    named[name] !== '' || needed.includes(name);
  const errorOf = (name: Choice): string | false => needed.includes(name) && 'Choose one for this file.';
  return (
    <div class="cards">
      <Field
        label="Time zone of the file"
        hint="Of times that name none."
        error={named.zone === '' && errorOf('time_zone')}
      >
        <Select
          value={named.zone}
          options={[
            { value: '', label: 'That of the exchange, or of the program' },
            ...ZONES.map((value) => ({ value, label: value })),
          ]}
          onValue={(zone) => onNamed({ ...named, zone })}
        />
      </Field>
      {hasAnchor && (
        <Field
          label="Candles start"
          hint="Decides for a file that fits both. Larger candles that are made of these start likewise."
          error={needed.includes('anchor') && 'Choose another one for this file.'}
        >
          <Select
            value={named.anchor}
            options={[
              { value: '', label: 'As the file shows' },
              { value: 'clock', label: 'With the clock: 9:00, 10:00' },
              { value: 'session', label: 'With the session: 9:30, 10:30' },
            ]}
            onValue={(anchor) => onNamed({ ...named, anchor })}
          />
        </Field>
      )}
      {isShown('dates') && (
        <Field label="Dates such as 01/02/2024" error={named.dates === '' && errorOf('dates')}>
          <Select
            value={named.dates}
            options={[
              { value: '', label: 'As the file shows' },
              { value: 'dmy', label: 'Day, then month' },
              { value: 'mdy', label: 'Month, then day' },
            ]}
            onValue={(dates) => onNamed({ ...named, dates })}
          />
        </Field>
      )}
      {isShown('decimal') && (
        <Field label="Decimals" error={named.decimal === '' && errorOf('decimal')}>
          <Select
            value={named.decimal}
            options={[
              { value: '', label: 'As the file shows' },
              { value: 'point', label: 'After a point: 1,234.5' },
              { value: 'comma', label: 'After a comma: 1.234,5' },
            ]}
            onValue={(decimal) => onNamed({ ...named, decimal })}
          />
        </Field>
      )}
      {isShown('columns') && (
        <Field
          label="Columns from the left"
          hint="Such as time,open,high,low,close,-,volume. - passes one over."
        >
          <TextInput
            value={named.columns}
            onValue={(columns) => onNamed({ ...named, columns })}
            spellcheck={false}
          />
        </Field>
      )}
    </div>
  );
};
