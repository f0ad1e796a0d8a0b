import { problemsOf } from '../issue-texts.ts';
import { type Instrument, instrumentSchema } from './instrument-records.ts';
import { type AssetClass, digitsOf } from './instruments.ts';

/** Instrument data from an import list; may be incomplete. */
export type InstrumentFacts = Pick<Instrument, 'symbol'> & Partial<Omit<Instrument, 'symbol'>>;

type Contract = Pick<Instrument, 'tick_size' | 'contract_size' | 'min_volume' | 'volume_step'>;

/** Defaults per asset class, for data that a list omits. */
const USUAL: Readonly<Record<AssetClass, Contract>> = {
  equity: { tick_size: 0.01, contract_size: 1, min_volume: 1, volume_step: 1 },
  index: { tick_size: 0.1, contract_size: 1, min_volume: 0.1, volume_step: 0.1 },
  forex: { tick_size: 0.00001, contract_size: 100_000, min_volume: 0.01, volume_step: 0.01 },
  commodity: { tick_size: 0.01, contract_size: 1, min_volume: 1, volume_step: 1 },
  crypto: { tick_size: 0.01, contract_size: 1, min_volume: 0.001, volume_step: 0.001 },
};

const PAIRED: ReadonlySet<AssetClass | undefined> = new Set(['forex', 'crypto']);

/** Returns the base currency of a pair: the part of the symbol before the quote currency, `EUR` of `EURUSD`. */
const baseOf = ({
  symbol,
  asset_class: assetClass,
  quote_currency: quote,
}: InstrumentFacts): string | undefined => {
  const pair = symbol.slice(symbol.indexOf(':') + 1);
  if (!PAIRED.has(assetClass) || quote === undefined || !pair.endsWith(quote)) return undefined;
  const base = pair.slice(0, -quote.length).replace(/[^A-Z0-9]+$/, '');
  return base === '' ? undefined : base;
};

/** A complete instrument, or the problems that keep it from being one. */
type Completion =
  | { readonly data: Instrument; readonly problems?: undefined }
  | { readonly data?: undefined; readonly problems: readonly string[] };

/**
 * Completes an instrument: data of a list takes precedence, then stored data, then the defaults of its class.
 *
 * @returns the instrument, or the problems that name missing and wrong data.
 */
export const completeInstrument = (facts: InstrumentFacts, stored: Instrument | undefined): Completion => {
  const known: InstrumentFacts = { ...stored, ...facts };
  const usual = known.asset_class && USUAL[known.asset_class];
  const tickSize = known.tick_size ?? usual?.tick_size;
  const base = baseOf(known);
  const given = {
    ...usual,
    name: known.symbol,
    tradable: true,
    ...(base !== undefined && { base_currency: base }),
    ...known,
    // The decimals of stored prices apply only while the tick size is unchanged.
    digits:
      facts.digits ??
      (tickSize === stored?.tick_size ? stored?.digits : undefined) ??
      (tickSize && digitsOf(tickSize)),
  };
  const { data, error } = instrumentSchema.safeParse(given);
  return data ? { data } : { problems: problemsOf(error, given) };
};
