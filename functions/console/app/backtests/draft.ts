import type {
  BacktestAccount,
  BacktestAccountOut,
  BacktestIn,
  Rules,
  SweepIn,
} from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { NOT_A_NUMBER, numberText, typedNumber } from '../typed-decimal.ts';
import { USUAL_COSTS } from '../usual-costs.ts';

/** Length of a bar. */
export type Timeframe = NonNullable<BacktestIn['timeframe']>;

/** Rules to test: those of a strategy, or given ones with their name. */
export interface Subject {
  readonly strategy_id?: number | undefined;
  readonly rules: Rules;
}

/** Account of a test, as typed. Rates are percentages. */
export interface AccountDraft {
  readonly starting_capital: string;
  readonly commission_rate: string;
  readonly commission_fixed: string;
  readonly commission_per_unit: string;
  readonly commission_min: string;
  readonly spread_rate: string;
  readonly slippage_rate: string;
  readonly margin: string;
  readonly maintenance: string;
  readonly size_step: string;
  readonly financing: NonNullable<BacktestAccount['financing']>;
  readonly fill_at: NonNullable<BacktestAccount['fill_at']>;
  readonly stop_basis: NonNullable<BacktestAccount['stop_basis']>;
  readonly entry_bar: NonNullable<BacktestAccount['entry_bar']>;
  readonly close_at_end: NonNullable<BacktestAccount['close_at_end']>;
}

/** Candles, span of time and account of a test, as typed. */
export interface Terms {
  /** Owner of the candles. */
  readonly candles: NonNullable<BacktestIn['candles']>;
  /** Day as `2024-03-01`; empty for the first candle. */
  readonly from: string;
  /** Day as `2024-03-01`, the last one of the test; empty for the newest candle. */
  readonly to: string;
  readonly account: AccountDraft;
}

/** Request for a test, as typed. */
export interface Draft extends Terms {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** Values of parameters by name. For a sweep, a range: `5-50 step 5`, or a list: `5, 10, 20`. */
  readonly params: Readonly<Record<string, string>>;
}

/** Fields of the account that are numbers, with their unit. */
const NUMBERS = {
  starting_capital: 'amount',
  commission_rate: 'percent',
  commission_fixed: 'amount',
  commission_per_unit: 'amount',
  commission_min: 'amount',
  spread_rate: 'percent',
  slippage_rate: 'percent',
  margin: 'percent',
  maintenance: 'percent',
  size_step: 'amount',
} as const;

type NumberField = keyof typeof NUMBERS;

const NUMBER_FIELDS: readonly NumberField[] = [
  'starting_capital',
  'commission_rate',
  'commission_fixed',
  'commission_per_unit',
  'commission_min',
  'spread_rate',
  'slippage_rate',
  'margin',
  'maintenance',
  'size_step',
];

/** Account of a new test: moderate costs of a broker, so that results are not too good. */
const NEW_ACCOUNT: AccountDraft = {
  starting_capital: '10000',
  commission_rate: USUAL_COSTS.commission,
  commission_fixed: '0',
  commission_per_unit: '0',
  commission_min: '0',
  spread_rate: USUAL_COSTS.spread,
  slippage_rate: USUAL_COSTS.slippage,
  margin: '100',
  maintenance: '0',
  size_step: '',
  financing: 'none',
  fill_at: 'next_open',
  stop_basis: 'fill',
  entry_bar: 'worst',
  close_at_end: 'mark',
};

/** Terms of a new test: all candles of the hub, and the account of a new test. */
export const NEW_TERMS: Terms = { candles: 'hub', from: '', to: '', account: NEW_ACCOUNT };

/** Removes the noise of a product or quotient of two decimals. */
const clean = (value: number): number => Number(value.toPrecision(12));

/** Problems of a draft by the name of the field. */
export type DraftProblems = Readonly<Record<string, string>>;

/** Request of a draft, or the problems that keep it from being sent. */
export type Checked<T> =
  | { readonly body: T; readonly problems?: undefined }
  | { readonly body?: undefined; readonly problems: DraftProblems };

const DAY_MS = 86_400_000;

const accountOf = (
  draft: AccountDraft,
  problems: Record<string, string>,
  locale?: string,
): BacktestAccount => {
  const { financing, fill_at, stop_basis, entry_bar, close_at_end } = draft;
  const numbers: Partial<Record<NumberField, number>> = {};
  for (const field of NUMBER_FIELDS) {
    const text = draft[field].trim();
    if (text === '') continue;
    const number = typedNumber(text, locale);
    if (number === undefined || number < 0) problems[field] = NOT_A_NUMBER;
    else numbers[field] = NUMBERS[field] === 'percent' ? clean(number / 100) : number;
  }
  return { ...numbers, financing, fill_at, stop_basis, entry_bar, close_at_end };
};

const termsOf = (
  { strategy_id, rules }: Subject,
  draft: Draft,
  problems: Record<string, string>,
  locale?: string,
) => {
  const { symbols } = draft;
  if (symbols.length === 0) problems.symbols = 'Choose at least one instrument.';
  if (draft.from !== '' && draft.to !== '' && draft.from > draft.to)
    problems.to = 'Choose a day after the first.';
  const end = Date.parse(draft.to);
  return {
    ...(strategy_id === undefined ? { rules } : { strategy_id }),
    symbols,
    timeframe: draft.timeframe,
    ...(draft.candles === 'own' && { candles: draft.candles }),
    ...(draft.from !== '' && { from: draft.from }),
    // The service leaves out the bars that start at `to` or later; people mean the day to be tested.
    ...(Number.isFinite(end) && { to: new Date(end + DAY_MS).toISOString() }),
    account: accountOf(draft.account, problems, locale),
  };
};

const checked = <T>(body: T, problems: DraftProblems): Checked<T> =>
  Object.keys(problems).length > 0 ? { problems } : { body };

/**
 * Returns the request for a backtest. Parameters with their default are left out.
 *
 * @param locale that of the user by default.
 */
export const backtestBody = (subject: Subject, draft: Draft, locale?: string): Checked<BacktestIn> => {
  const problems: Record<string, string> = {};
  const params: Record<string, number> = {};
  for (const [name, { default: usual }] of Object.entries(subject.rules.params ?? {})) {
    const text = (draft.params[name] ?? '').trim();
    if (text === '') continue;
    const value = typedNumber(text, locale);
    if (value === undefined) problems[name] = NOT_A_NUMBER;
    else if (value !== usual) params[name] = value;
  }
  return checked({ ...termsOf(subject, draft, problems, locale), params }, problems);
};

/** Values of a parameter in a sweep. */
export type SweepValues = SweepIn['params'][string];

/** Reads values of a parameter: a number, a list `5, 10, 20`, or a range `5-50 step 5`; undefined for another text. */
export const typedValues = (text: string, locale?: string): SweepValues | undefined => {
  const range = /^(.+?)\s*(?:-|–|to|\.\.)\s*(\S+)\s+(?:step|by)\s+(\S+)$/.exec(text.trim());
  if (range) {
    const [from, to, step] = [1, 2, 3].map((part) => typedNumber(range[part] ?? '', locale));
    if (from === undefined || to === undefined || step === undefined || step <= 0 || to < from)
      return undefined;
    return { from, to, step };
  }
  // In a list commas separate, so its numbers have points.
  const values = text.split(/[;,\s]+/).flatMap((part) => (part === '' ? [] : [typedNumber(part, locale)]));
  const numbers = values.filter((value) => value !== undefined);
  return numbers.length === 0 || numbers.length < values.length ? undefined : numbers;
};

/** Returns the number of values of a parameter. */
export const countValues = (values: SweepValues): number => {
  if (typeof values === 'number') return 1;
  if ('from' in values) return Math.floor(clean((values.to - values.from) / values.step)) + 1;
  return new Set(values).size;
};

/** Most combinations that the service tries. */
const MOST_COMBINATIONS = 2000;

/** Share of the time, in percent, that is in sample unless people say otherwise. */
export const USUAL_SPLIT = '70';

export type RankFigure = NonNullable<SweepIn['rank_by']>;

/**
 * Returns the request for a sweep.
 *
 * @param locale that of the user by default.
 */
export const sweepBody = (
  subject: Subject,
  draft: Draft,
  { split, rankBy }: { readonly split: string; readonly rankBy: RankFigure },
  locale?: string,
): Checked<SweepIn> => {
  const problems: Record<string, string> = {};
  const params: Record<string, SweepValues> = {};
  let combinations = 1;
  for (const name of Object.keys(subject.rules.params ?? {})) {
    const text = (draft.params[name] ?? '').trim();
    if (text === '') continue;
    const values = typedValues(text, locale);
    if (values === undefined)
      problems[name] = 'Enter a range, such as 5-50 step 5, or values, such as 5, 10, 20.';
    else {
      params[name] = values;
      combinations *= countValues(values);
    }
  }
  const part = typedNumber(split, locale);
  if (part === undefined || part <= 0 || part >= 100)
    problems.split = 'Enter a percentage between 0 and 100.';
  if (combinations > MOST_COMBINATIONS) {
    problems.params = `These are ${format.count(combinations)} combinations; at most ${format.count(MOST_COMBINATIONS)} can be tried. Use larger steps.`;
  } else if (combinations < 2 && Object.keys(problems).length === 0) {
    problems.params = 'Give at least one parameter several values.';
  }
  const body = {
    ...termsOf(subject, draft, problems, locale),
    params,
    split: clean((part ?? 0) / 100),
    rank_by: rankBy,
  };
  return checked(body, problems);
};

const text = (value: number): string => numberText(clean(value));

/** Returns the texts of an account that was tested before. */
export const accountDraft = (account: BacktestAccountOut): AccountDraft => ({
  starting_capital: text(account.starting_capital),
  commission_rate: text(account.commission_rate * 100),
  commission_fixed: text(account.commission_fixed),
  commission_per_unit: text(account.commission_per_unit),
  commission_min: text(account.commission_min),
  spread_rate: text(account.spread_rate * 100),
  slippage_rate: text(account.slippage_rate * 100),
  margin: text(account.margin * 100),
  maintenance: text(account.maintenance * 100),
  size_step: '',
  financing: account.financing,
  fill_at: account.fill_at,
  stop_basis: account.stop_basis,
  entry_bar: account.entry_bar,
  close_at_end: account.close_at_end,
});

/** Suggests values of a parameter around its default, within its bounds. */
export const suggestedValues = ({
  default: usual,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly default: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): string => {
  const isWhole = Number.isInteger(usual);
  const step = isWhole ? Math.max(1, Math.round(usual / 5)) : clean(Math.abs(usual) / 5) || 0.1;
  const values = [-2, -1, 0, 1, 2].map((count) => clean(usual + count * step));
  return values
    .filter((value) => value >= min && value <= max && (!isWhole || value >= 1 || usual < 1))
    .map(numberText)
    .join(', ');
};

/** Returns rules with other usual values of parameters; undefined if they do not have all of them. */
export const withDefaults = (rules: Rules, values: Readonly<Record<string, number>>): Rules | undefined => {
  const params = { ...rules.params };
  for (const [name, value] of Object.entries(values)) {
    const declared = params[name];
    if (!declared) return undefined;
    params[name] = { ...declared, default: value };
  }
  return { ...rules, params };
};
