import type {
  DeployLiveStrategyInput,
  DeployNotificationStrategyInput,
  GetStrategyOutput,
} from '../../../../infra/client/package/src/index.ts';
import { typedNumber } from '../typed-decimal.ts';
import { USUAL_COSTS } from '../usual-costs.ts';

/** Way to deploy a strategy. */
export type Way = 'paper' | 'notification' | 'scanner' | 'live';

/** Lists the ways to deploy a strategy with their names and effects. */
export const waysOf = ({
  isDemo,
}: {
  /** True for instruments of the demo market. */
  readonly isDemo: boolean;
}): readonly { readonly way: Way; readonly name: string; readonly text: string }[] => [
  {
    way: 'paper',
    name: 'On paper',
    text: `Trades with ${isDemo ? 'the made-up prices of the demo market' : 'real prices'} and no money. The way to begin.`,
  },
  { way: 'notification', name: 'Notifications', text: 'Tells you of signals. You trade yourself.' },
  { way: 'scanner', name: 'Scanner', text: 'Watches many instruments and tells you which match.' },
  { way: 'live', name: 'Real money', text: 'Sends orders to your broker by itself.' },
];

/** Parts of a strategy that decide how it may be deployed. */
export type Deployable = Pick<
  GetStrategyOutput,
  | 'strategy_id'
  | 'strategy_key'
  | 'strategy_name'
  | 'symbols'
  | 'timeframe'
  | 'rules_hash'
  | 'status'
  | 'is_own'
>;

type Channel = 'push' | 'email' | 'sms';
type Frequency = 'every_signal' | 'once_per_bar' | 'once_per_day';

/** Values of the form as typed. */
export interface DeployForm {
  readonly way: Way;
  readonly symbols: readonly string[];
  readonly capital: string;
  readonly currency: string;
  /** Percent of the value of each entry and exit. */
  readonly commission: string;
  /** Percent by which entries are worse. */
  readonly spread: string;
  /** Percent by which market and stop fills are worse. */
  readonly slippage: string;
  readonly channels: readonly Channel[];
  readonly frequency: Frequency;
  /** Last day, such as `2026-12-31`; empty without an end. */
  readonly endDay: string;
  readonly universe: string;
  readonly account: string;
  /** Fate of a position whose stop the broker refuses. */
  readonly unprotected: 'close' | 'keep';
  /** Prices on which it trades on paper: those that arrive, or recorded ones. */
  readonly prices: 'arriving' | 'replay';
  /** First day of a replay, and its candles a minute. */
  readonly replayFrom: string;
  readonly replaySpeed: string;
}

/** Symbols that a deployment of a strategy with rules may have. */
export const MAX_SYMBOLS = 9;

/** Returns the values that the form begins with. The costs are those of a new backtest, so that its results compare. */
export const initialForm = ({ symbols }: Pick<Deployable, 'symbols'>): DeployForm => ({
  way: 'paper',
  symbols: symbols.slice(0, MAX_SYMBOLS),
  capital: '10000',
  currency: 'USD',
  ...USUAL_COSTS,
  channels: ['push'],
  frequency: 'every_signal',
  endDay: '',
  universe: '',
  account: '',
  unprotected: 'close',
  prices: 'arriving',
  replayFrom: '',
  replaySpeed: '60',
});

/** Most candles a minute of a replay. */
const MAX_SPEED = 6000;

/** Returns whether the form asks for a replay. */
export const isReplay = ({ way, prices }: Pick<DeployForm, 'way' | 'prices'>): boolean =>
  way === 'paper' && prices === 'replay';

const withoutSpaces = (text: string): string => text.replace(/\s/g, '');

const numberIn = (text: string, locale?: string): number =>
  typedNumber(withoutSpaces(text), locale) ?? Number.NaN;

const isSpeed = (speed: number): boolean => Number.isInteger(speed) && speed >= 1 && speed <= MAX_SPEED;

/** Returns the capital that was typed; not a number for another text. */
export const capitalOf = ({ capital }: Pick<DeployForm, 'capital'>, locale?: string): number =>
  numberIn(capital, locale);

/** Problems of a form by field, as sentences. */
export type FormProblems = Readonly<Partial<Record<keyof DeployForm, string>>>;

const costProblem = (text: string, locale?: string): string | undefined => {
  if (text.trim() === '') return undefined;
  const value = numberIn(text, locale);
  return value >= 0 && value < 50 ? undefined : 'Enter a percentage from 0 to 50, or nothing.';
};

/** Returns the last moment of a day in the time zone of the user. */
const endOfDay = (day: string): Date => new Date(`${day}T23:59:59`);

/** Finds the problems of a form before it is sent, in the locale of the user by default. */
export const formProblems = (form: DeployForm, now: Date, locale?: string): FormProblems => {
  const { way } = form;
  const trades = way === 'paper' || way === 'live';
  const problems: Partial<Record<keyof DeployForm, string | undefined>> = {
    ...(way !== 'scanner' && {
      symbols: form.symbols.length === 0 ? 'Choose at least one symbol.' : undefined,
      channels: form.channels.length === 0 ? 'Choose at least one way.' : undefined,
      endDay:
        form.endDay !== '' && !(endOfDay(form.endDay) > now) ? 'Choose today or a later day.' : undefined,
    }),
    ...(trades && {
      capital:
        capitalOf(form, locale) > 0 ? undefined : 'Enter an amount above zero, such as 10000 or 99.50.',
      currency: /^[A-Za-z]{3,5}$/.test(form.currency.trim())
        ? undefined
        : 'Enter the code of a currency, such as USD.',
    }),
    ...(way === 'paper' && {
      commission: costProblem(form.commission, locale),
      spread: costProblem(form.spread, locale),
      slippage: costProblem(form.slippage, locale),
    }),
    ...(isReplay(form) && {
      replayFrom: /^\d{4}-\d{2}-\d{2}$/.test(form.replayFrom) ? undefined : 'Choose a day.',
      replaySpeed: isSpeed(numberIn(form.replaySpeed, locale))
        ? undefined
        : `Enter a whole number from 1 to ${MAX_SPEED}.`,
    }),
    ...(way === 'live' && { account: form.account === '' ? 'Choose an account.' : undefined }),
    ...(way === 'scanner' && { universe: form.universe === '' ? 'Choose what to watch.' : undefined }),
  };
  const found: Partial<Record<keyof DeployForm, string>> = {};
  for (const name of Object.keys(form)) {
    if (!isField(name, form)) continue;
    const problem = problems[name];
    if (problem !== undefined) found[name] = problem;
  }
  return found;
};

const isField = (name: string, form: DeployForm): name is keyof DeployForm => Object.hasOwn(form, name);

/** Writes percent points as the part of one that the service takes, without errors of doubles. */
const rateOf = (percent: string): string => String(Number((numberIn(percent) / 100).toPrecision(12)));

const costsOf = ({ commission, spread, slippage }: DeployForm) => {
  const given = (text: string): boolean => text.trim() !== '' && numberIn(text) > 0;
  return {
    ...(given(commission) && { commission_rate: rateOf(commission) }),
    ...(given(spread) && { spread_rate: rateOf(spread) }),
    ...(given(slippage) && { slippage_rate: rateOf(slippage) }),
  };
};

const shared = ({ channels, endDay }: DeployForm) => ({
  channels: channels.join(','),
  ...(endDay !== '' && { expires_at: endOfDay(endDay).toISOString() }),
});

const chosenSymbols = (strategy: Deployable, { symbols }: DeployForm): string | undefined =>
  symbols.length === strategy.symbols.length ? undefined : symbols.join(',');

/** Builds the request of a live or paper deployment. */
export const tradingBody = (strategy: Deployable, form: DeployForm): DeployLiveStrategyInput['body'] => {
  const isLive = form.way === 'live';
  return {
    mode: isLive ? 'live' : 'virtual',
    starting_capital: String(capitalOf(form)),
    currency: form.currency.trim().toUpperCase(),
    symbols: chosenSymbols(strategy, form),
    ...shared(form),
    ...(isReplay(form)
      ? { replay_from: form.replayFrom, replay_speed: numberIn(form.replaySpeed) }
      : { prices: 'required' }),
    ...(isLive
      ? { account_id: form.account, when_unprotected: form.unprotected }
      : strategy.rules_hash === null
        ? {}
        : costsOf(form)),
  };
};

/** Builds the question of what will protect a live deployment. */
export const previewInput = (strategy: Deployable, form: DeployForm) => ({
  strategy_id: strategy.strategy_id,
  account_id: form.account,
  currency: form.currency.trim().toUpperCase(),
  symbols: chosenSymbols(strategy, form),
  when_unprotected: form.unprotected,
});

/** Builds the request of a notification deployment. */
export const notificationBody = (
  strategy: Deployable,
  form: DeployForm,
): DeployNotificationStrategyInput['body'] => ({
  symbol: chosenSymbols(strategy, form),
  frequency: form.frequency,
  prices: 'required',
  ...shared(form),
});

/** Tells why a strategy cannot be deployed at all; undefined if it can. */
export const cannotDeploy = ({ is_own, status }: Deployable): string | undefined => {
  if (!is_own) return 'Copy the strategy first: only your own strategies can run for you.';
  if (status === 'archived') return 'The strategy is archived, so it can no longer be deployed.';
  if (status === 'draft') return 'The strategy is a draft. Finish its rules first.';
  return undefined;
};
