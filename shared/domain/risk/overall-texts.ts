import { toMoney } from '../money.ts';
import type { OverallExceeded } from './overall.ts';

const DIGITS = 8;

const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: DIGITS });

const money = (amount: string, currency: string): string => `${shown(toMoney(amount, currency))} ${currency}`;

const ALL = 'over all deployments';

/** Writes which limit over all deployments an entry would exceed, or was reached. Without a full stop. */
export const overallText = (
  { limit, used = '0', allowed = '0' }: OverallExceeded,
  currency: string,
): string => {
  switch (limit) {
    case 'tripped':
      return `The limit of losses of a day ${ALL} has stopped all trading`;
    case 'pending':
      return `The limits ${ALL} are being set up`;
    case 'currency':
      return `The limits ${ALL} are in ${currency} and cannot count orders in another currency`;
    case 'daily_loss':
      return `A loss of ${money(used, currency)} on one day (UTC) ${ALL} reaches the limit of ${money(allowed, currency)}`;
    case 'exposure':
      return `An exposure of ${money(used, currency)} ${ALL} exceeds the limit of ${money(allowed, currency)}`;
    case 'orders_per_day':
      return `${shown(Number(used))} orders in one day ${ALL} exceed the limit of ${shown(Number(allowed))}`;
    case 'orders_per_minute':
      return `${shown(Number(used))} orders in one minute ${ALL} exceed the limit of ${shown(Number(allowed))}`;
    default:
      return limit satisfies never;
  }
};
