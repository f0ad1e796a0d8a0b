import type { TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { costsText } from '../../../backtests/costs.ts';
import { format, type formatsFor } from '../../../format.ts';

/** Says which costs a record has: those of each instrument, or of all. */
export const recordCosts = (
  { account, currency, legs }: Pick<TrackRecordOut, 'account' | 'currency' | 'legs'>,
  formats: Parameters<typeof costsText>[2] & Pick<ReturnType<typeof formatsFor>, 'money'> = format,
): string[] => {
  if (account === null || currency === null) return [];
  const byCosts = Map.groupBy(legs, ({ commission_rate, slippage_rate }) =>
    costsText({ ...account, spread_rate: 0, commission_rate, slippage_rate }, currency, formats),
  );
  return [
    `Capital ${formats.money(account.starting_capital, currency)}, without credit. A limit order fills only if the price goes one step through it.`,
    ...[...byCosts].map(([text, those]) =>
      byCosts.size === 1 ? text : `${those.map(({ symbol }) => symbol).join(', ')}: ${text}`,
    ),
  ];
};
