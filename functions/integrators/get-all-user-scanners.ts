import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { READING_ERRORS } from '../../shared/callers/linked-user.ts';
import { deploymentsOf } from './common/deployments-of.ts';
import { integratorScanner, presentScanner } from './records/scanner.ts';

export const getAllUserScanners = defineOperation({
  method: 'GET',
  path: '/broker/get_all_user_scanners',
  name: 'get_all_user_scanners',
  summary: 'List the scanners of a user',
  description: 'Running and ended deployments, newest first.',
  caller: 'integrator',
  input: { query: z.object({ user_email: z.string(), ...pageQuery }) },
  output: pageOf('IntegratorScanner', integratorScanner),
  errors: READING_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email: email, ...choice } }, call) => {
    const { deployments, total } = await deploymentsOf(call, email, 'scanner', choice);
    const scanners = deployments.flatMap((one) => (one.kind === 'scanner' ? [presentScanner(one)] : []));
    return toPage(scanners, total, choice);
  },
});
