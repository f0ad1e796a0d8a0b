import { checkPeriods, type Prices, whole } from '../../../../support/period-references.ts';

const middle = ({ high, low, close }: Prices) => (high + low + close) / 3;

/** Levels by the tables of the methods. */
const LEVELS: Readonly<Record<string, (of: Prices) => Readonly<Record<string, number>>>> = {
  classic: (of) => {
    const { high: h, low: l } = of;
    const p = middle(of);
    return {
      pivot: p,
      r1: 2 * p - l,
      r2: p + h - l,
      r3: h + 2 * (p - l),
      r4: h + 3 * (p - l),
      s1: 2 * p - h,
      s2: p - (h - l),
      s3: l - 2 * (h - p),
      s4: l - 3 * (h - p),
    };
  },
  fibonacci: (of) => {
    const p = middle(of);
    const r = of.high - of.low;
    return {
      pivot: p,
      r1: p + 0.382 * r,
      r2: p + 0.618 * r,
      r3: p + r,
      r4: p + 1.618 * r,
      s1: p - 0.382 * r,
      s2: p - 0.618 * r,
      s3: p - r,
      s4: p - 1.618 * r,
    };
  },
  camarilla: (of) => {
    const r = (of.high - of.low) * 1.1;
    const c = of.close;
    return {
      pivot: middle(of),
      r1: c + r / 12,
      r2: c + r / 6,
      r3: c + r / 4,
      r4: c + r / 2,
      s1: c - r / 12,
      s2: c - r / 6,
      s3: c - r / 4,
      s4: c - r / 2,
    };
  },
};

for (const [method, levels] of Object.entries(LEVELS)) {
  for (const output of ['pivot', 'r1', 'r2', 'r3', 'r4', 's1', 's2', 's3', 's4']) {
    checkPeriods(
      `pivots ${method} ${output} is that of the prices of the period before`,
      (period) => ({ indicator: 'pivots', period, method, output }),
      ({ before }) => levels(whole(before))[output] ?? Number.NaN,
    );
  }
}
