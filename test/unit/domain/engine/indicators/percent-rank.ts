import { compare, rolling } from '../../../../support/indicator-references.ts';

compare('percent_rank equals its formula', {
  operand: (length) => ({ indicator: 'percent_rank', length }),
  values: ({ close }, n) =>
    rolling(close, n + 1, (window) => {
      const now = window.at(-1) ?? 0;
      return (100 * window.slice(0, -1).filter((x) => x <= now).length) / n;
    }),
});
