import { decimal, toMoney } from '../money.ts';
import type { Exceeded } from './check-entry.ts';
import type { LimitName } from './limits.ts';
import type { Usage } from './usage.ts';

/** Limits that a number is compared with. */
type Counted = Exclude<LimitName, 'symbols' | 'hours'>;

/** A used value as the subject of a sentence, and the limit of it. */
interface Words {
  readonly subject: string;
  readonly bound: string;
  readonly isPlural?: boolean;
}

const DIGITS = 8;

const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: DIGITS });

/** Rounds a value, unless it would then look like its limit. */
const roundedOf = (
  { used, allowed }: Pick<Usage, 'used' | 'allowed'>,
  round: (amount: string) => number,
): { readonly used: string; readonly allowed: string } => {
  const isHidden = !decimal(used).eq(allowed) && round(used) === round(allowed);
  return { used: shown(isHidden ? Number(used) : round(used)), allowed: shown(round(allowed)) };
};

const amounts = (usage: Usage, currency: string) => {
  const { used, allowed } = roundedOf(usage, (amount) => toMoney(amount, currency));
  return { used: `${used} ${currency}`, allowed: `${allowed} ${currency}` };
};

const percentages = (usage: Usage) => {
  const { used, allowed } = roundedOf(usage, (amount) => Number(decimal(amount).toFixed(2)));
  return { used: `${used} %`, allowed: `${allowed} %` };
};

const counts = ({ used, allowed }: Usage, noun: string) => ({
  used: `${shown(Number(used))} ${used === '1' ? noun : `${noun}s`}`,
  allowed: `${shown(Number(allowed))} ${allowed === '1' ? noun : `${noun}s`}`,
  isPlural: used !== '1',
});

const WORDS: Readonly<Record<Counted, (usage: Usage, currency: string) => Words>> = {
  daily_loss: (usage, currency) => {
    const { used, allowed } = amounts(usage, currency);
    return { subject: `A loss of ${used} in one day`, bound: `${allowed} a day` };
  },
  daily_loss_pct: (usage) => {
    const { used, allowed } = percentages(usage);
    return { subject: `A loss of ${used} in one day`, bound: `${allowed} a day` };
  },
  drawdown_pct: (usage) => {
    const { used, allowed } = percentages(usage);
    return { subject: `A drawdown of ${used}`, bound: allowed };
  },
  open_positions: (usage) => {
    const { used: subject, allowed: bound, isPlural } = counts(usage, 'open position');
    return { subject, bound, isPlural };
  },
  position_value: (usage, currency) => {
    const { used, allowed } = amounts(usage, currency);
    return { subject: `A position worth ${used}`, bound: `${allowed} a position` };
  },
  order_value: (usage, currency) => {
    const { used, allowed } = amounts(usage, currency);
    return { subject: `An order worth ${used}`, bound: `${allowed} an order` };
  },
  orders_per_day: (usage) => {
    const { used, allowed, isPlural } = counts(usage, 'order');
    return { subject: `${used} in one day`, bound: `${allowed} a day`, isPlural };
  },
  orders_per_minute: (usage) => {
    const { used, allowed, isPlural } = counts(usage, 'order');
    return { subject: `${used} in one minute`, bound: `${allowed} a minute`, isPlural };
  },
};

const isCounted = (limit: LimitName): limit is Counted => limit in WORDS;

/** Writes a sentence without its full stop: `5 orders in one day exceed the risk limit of 4 orders a day`. */
const sentence = (
  usage: Usage,
  currency: string,
  verb: { readonly one: string; readonly many: string },
): string => {
  if (!isCounted(usage.limit)) throw new TypeError(`the limit ${usage.limit} has no number`);
  const { subject, bound, isPlural = false } = WORDS[usage.limit](usage, currency);
  return `${subject} ${isPlural ? verb.many : verb.one} the risk limit of ${bound}`;
};

/** Writes why an order exceeds a limit, as the reason of its cancellation or of the stop of its deployment. */
export const exceededText = ({ limit, used, allowed }: Exceeded, currency: string): string => {
  if (limit === 'tripped') return 'A risk limit has stopped the deployment';
  if (limit === 'symbols') return 'The risk limits do not allow positions in this symbol';
  if (limit === 'hours') return 'The risk limits allow no new positions at this time';
  const verb = { one: 'exceeds', many: 'exceed' };
  return sentence({ limit, used: used ?? '0', allowed: allowed ?? '0' }, currency, verb);
};

/** Writes which limit is reached, as the reason of the stop. */
export const reachedText = (usage: Usage, currency: string): string =>
  sentence(usage, currency, { one: 'reaches', many: 'reach' });

/** Writes how much of a limit is used. @param percent used part of the limit */
export const usedText = (usage: Usage, currency: string, percent: number): string =>
  sentence(usage, currency, { one: `is ${percent} % of`, many: `are ${percent} % of` });
