import { checkPeriods, whole } from '../../../../support/period-references.ts';

for (const output of ['high', 'low', 'open', 'close'] as const) {
  checkPeriods(
    `period_before ${output} is that of the bars of the period before`,
    (period) => ({ indicator: 'period_before', period, output }),
    ({ before }) => whole(before)[output],
  );
}
