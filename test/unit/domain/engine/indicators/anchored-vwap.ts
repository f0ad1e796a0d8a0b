import { checkPeriods } from '../../../../support/period-references.ts';

for (const [output, factor] of Object.entries({ middle: 0, upper: 1.5, lower: -1.5 })) {
  checkPeriods(
    `anchored_vwap ${output} is weighted by the volume of the period`,
    (period) => ({ indicator: 'anchored_vwap', period, deviations: 1.5, output }),
    ({ now, isWithin }) => {
      const volume = now.reduce((sum, bar) => sum + bar.volume, 0);
      if (!isWithin || volume === 0) return Number.NaN;
      const mean =
        now.reduce((sum, { high, low, close, volume: part }) => {
          return sum + ((high + low + close) / 3) * part;
        }, 0) / volume;
      const squares = now.reduce((sum, { high, low, close, volume: part }) => {
        return sum + part * ((high + low + close) / 3 - mean) ** 2;
      }, 0);
      return mean + factor * Math.sqrt(squares / volume);
    },
  );
}
