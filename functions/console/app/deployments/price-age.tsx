import { Age, When } from '../ui/figures.tsx';

/** Age of a price; its time where prices are those of bars, which are as old as their market. */
export const PriceAge = ({ at, isMarketTime }: { at: string | null; isMarketTime: boolean }) =>
  isMarketTime && at !== null ? (
    <>
      of <When at={at} />
    </>
  ) : (
    <Age at={at} />
  );
