import { checkSessions, whole } from '../../../../support/period-references.ts';

for (const output of ['high', 'low', 'open'] as const) {
  checkSessions(
    `session_range ${output} is that of the bars of the session so far`,
    { indicator: 'session_range', output },
    ({ now }) => whole(now)[output],
  );
}
