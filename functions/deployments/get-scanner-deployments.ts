import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { pageOfDeployments } from './forms/list-deployments.ts';
import { presentScanner, scannerDeploymentsOut } from './records/scanner.ts';

export const getScannerDeployments = defineOperation({
  method: 'POST',
  path: '/get_scanner_deployments',
  name: 'get_scanner_deployments',
  summary: 'List the scanner deployments of a user',
  description: 'Running and ended deployments, newest first.',
  caller: 'user',
  scope: 'read',
  assistant: { description: 'Lists the scanners of the user by page.' },
  input: { query: z.object({ user_id: z.string(), ...pageQuery }) },
  output: pageOf('ScannerDeploymentsOut', scannerDeploymentsOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, ...choice } }, call) => {
    const { deployments, total } = await pageOfDeployments(call, userId, 'scanner', choice);
    return toPage(deployments.map(presentScanner), total, choice);
  },
});
