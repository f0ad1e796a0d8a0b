import { compare, deviationOf, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('zscore equals its formula', {
  operand: (length) => ({ indicator: 'zscore', length }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      const width = deviationOf(window);
      return width < 1e-9 ? 0 : ((window.at(-1) ?? 0) - meanOf(window)) / width;
    }),
  tolerance: 1e-6,
});
