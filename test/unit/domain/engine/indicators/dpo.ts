import { compare, lag, meanOf, rolling, zip } from '../../../../support/indicator-references.ts';

compare('dpo equals its formula', {
  operand: (length) => ({ indicator: 'dpo', length }),
  values: ({ close }, n) =>
    zip(close, lag(rolling(close, n, meanOf), Math.floor(n / 2) + 1), (a, b) => a - b),
});
