import { checkSessions, whole } from '../../../../support/period-references.ts';

checkSessions(
  'gap is the change from the close of the session before to the open',
  { indicator: 'gap' },
  ({ now, before }) => (whole(now).open / whole(before).close - 1) * 100,
);
