import { checkSessions, whole } from '../../../../support/period-references.ts';

for (const output of ['high', 'low'] as const) {
  checkSessions(
    `opening_range ${output} is that of the first minutes, once they are over`,
    { indicator: 'opening_range', minutes: 90, output },
    ({ now, isWithin }) => {
      const end = (now[0]?.minute ?? Number.NaN) + 90;
      if (!isWithin || !((now.at(-1)?.minute ?? 0) >= end)) return Number.NaN;
      return whole(now.filter(({ minute }) => minute < end))[output];
    },
  );
}
