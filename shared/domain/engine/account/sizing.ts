import type { EntryPlan } from '../plan.ts';
import type { Account } from './account.ts';
import type { AccountSettings } from './settings.ts';

const PERCENT = 100;
/** Keeps an order of 100 % below the last unit that exactly uses everything up. */
const NEARLY_ALL = 1 - Number.EPSILON;
/** Tolerance of a quotient that is a whole number but for rounding: absolute, and relative for large ones. */
const ROUNDING = 1e-9;
const SUMMED_EPSILON = 8 * Number.EPSILON;

/** Returns the whole steps of a quotient. One that is a whole number but for rounding is that number. */
export const wholeSteps = (quotient: number): number => {
  const nearest = Math.round(quotient);
  const tolerance = Math.max(ROUNDING, Math.abs(nearest) * SUMMED_EPSILON);
  return Math.abs(quotient - nearest) <= tolerance ? nearest : Math.floor(quotient);
};

/** Returns the commission of a fill without its minimum. */
const computedFee = (settings: AccountSettings, quantity: number, price: number): number => {
  const value = Math.abs(price) * quantity * settings.contract_size;
  return (
    settings.commission_fixed + settings.commission_rate * value + settings.commission_per_unit * quantity
  );
};

/** Returns the commission of a fill. */
export const commissionOf = (settings: AccountSettings, quantity: number, price: number): number =>
  Math.max(settings.commission_min, computedFee(settings, quantity, price));

/** Returns cash plus the result of open trades at a price. */
export const equityAt = ({ cash, trades, settings }: Account, price: number): number => {
  let equity = cash;
  const unit = settings.size_step * settings.contract_size;
  for (let index = 0; index < trades.length; index += 1) {
    const trade = trades[index];
    if (trade) equity += trade.side * (trade.steps * unit) * (price - trade.entryPrice);
  }
  return equity;
};

/** Returns the amount that new trades may tie up. */
const availableAt = (account: Account, price: number): number => {
  const { margin, size_step, contract_size } = account.settings;
  let used = 0;
  for (const { steps } of account.trades) used += steps * size_step * contract_size * Math.abs(price);
  return Math.max(0, equityAt(account, price) - used * margin);
};

/** An entry order at its fill. */
interface Fill {
  /** Price before and after the spread. */
  readonly price: number;
  readonly entryPrice: number;
  /** Distance of the stop; NaN without a stop. */
  readonly stopDistance: number;
  /** Open of the bar, at which other trades are marked. */
  readonly open: number;
}

/** Returns the steps that an amount pays for, fees included, when it is multiplied by a factor (leverage and share). */
const affordable = (settings: AccountSettings, amount: number, factor: number, fill: Fill): number => {
  const { contract_size, size_step } = settings;
  const value = Math.abs(fill.entryPrice) * contract_size;
  const fee = settings.commission_rate * Math.abs(fill.price) * contract_size + settings.commission_per_unit;
  const steps = wholeSteps(((amount - settings.commission_fixed) * factor) / ((value + fee) * size_step));
  if (settings.commission_min <= computedFee(settings, steps * size_step, fill.price)) return steps;
  return wholeSteps(((amount - settings.commission_min) * factor) / (value * size_step));
};

/** Returns the steps of an entry, or the reason why it is cancelled. */
export const sizeOf = (
  account: Account,
  { size }: EntryPlan,
  fill: Fill,
): number | 'too_small' | 'insufficient_funds' => {
  const { settings } = account;
  const { size_step, contract_size, margin } = settings;
  const available = availableAt(account, fill.open);
  let steps: number;
  switch (size.type) {
    case 'equity_percent': {
      const share = size.percent === PERCENT ? NEARLY_ALL : size.percent / PERCENT;
      steps = affordable(settings, available, (1 / margin) * share, fill);
      break;
    }
    case 'cash':
      steps = affordable(settings, size.cash, 1, fill);
      break;
    case 'units':
      steps = wholeSteps(size.units / size_step);
      break;
    case 'risk_percent': {
      const risk = (equityAt(account, fill.open) * size.percent) / PERCENT;
      steps = wholeSteps(risk / (fill.stopDistance * contract_size) / size_step);
      break;
    }
  }
  if (!(steps > 0)) return 'too_small';
  // A stop without a distance would allow any size. Beyond safe integers, closing a part is not exact.
  if (steps > Number.MAX_SAFE_INTEGER) return 'insufficient_funds';
  const quantity = steps * size_step;
  const cost =
    quantity * Math.abs(fill.entryPrice) * contract_size + commissionOf(settings, quantity, fill.price);
  // An order of a percentage fits by its computation; comparing again could refuse it by rounding.
  if (size.type !== 'equity_percent' && cost > (available / margin) * (1 + ROUNDING))
    return 'insufficient_funds';
  return steps;
};
