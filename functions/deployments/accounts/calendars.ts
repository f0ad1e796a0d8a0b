import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { calendarIdOf, UNKNOWN_CALENDAR } from '../../../shared/domain/candles/calendar.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';

/**
 * Returns the calendars of the symbols that an engine outside trades, which decide the trading days of the deployment. A
 * symbol that is not in the catalogue has the calendar of the strategy's asset class. Prediction markets never close.
 */
export const calendarsOf = (
  { asset_class }: Pick<Strategy, 'asset_class'>,
  symbols: readonly string[],
  instruments: readonly Instrument[],
  { prediction_market }: Pick<TradingDeployment, 'prediction_market'>,
): string[] =>
  prediction_market
    ? ['always']
    : symbols.map((symbol) => {
        const instrument = instruments.find((one) => one.symbol === symbol);
        if (instrument) return calendarIdOf(instrument);
        return asset_class === 'multi' ? UNKNOWN_CALENDAR : calendarIdOf({ exchange: '', asset_class });
      });
