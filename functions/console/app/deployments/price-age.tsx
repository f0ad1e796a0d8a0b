import { oldAfterMs } from '../../../../shared/domain/deployments/engines.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { Age, When } from '../ui/figures.tsx';
import { hasOwnTime } from './price-freshness.ts';

interface PriceAgeProps {
  readonly at: string | null;
  /** True for prices that are those of bars. */
  readonly isMarketTime: boolean;
  readonly symbols: readonly string[];
  /** Length of a bar; a day if there are several. */
  readonly timeframe?: Timeframe;
}

/** Time and age of a price. It is marked once it is older than the market's closed hours explain. */
export const PriceAge = ({ at, isMarketTime, symbols, timeframe = '1d' }: PriceAgeProps) => {
  if (isMarketTime && at !== null && hasOwnTime(symbols)) {
    return (
      <>
        of <When at={at} />
      </>
    );
  }
  const age = <Age at={at} oldMs={oldAfterMs(timeframe)} />;
  return isMarketTime && at !== null ? (
    <>
      of <When at={at} />, {age}
    </>
  ) : (
    age
  );
};
