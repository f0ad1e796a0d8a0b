import { RMA } from 'trading-signals';
import { compare, smoothed } from '../../../../support/indicator-references.ts';

compare('rma equals its formula', {
  operand: (length) => ({ indicator: 'rma', length }),
  values: ({ close }, n) => smoothed(close, n, 1 / n),
});

compare('rma equals trading-signals', {
  operand: (length) => ({ indicator: 'rma', length }),
  values: ({ close }, n) => new RMA(n).updates(close, false),
  lengths: { min: 5, max: 14 },
  settled: 300,
});
