import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { READING_ERRORS } from '../../shared/callers/linked-user.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { readable } from '../../shared/data/table/damaged-items.ts';
import { deploymentsOf } from './common/deployments-of.ts';
import { integratorDeployment, presentDeployment } from './records/deployment.ts';

/** Names a deployment whose figures are damaged. */
const placeOf = ({ deployment_id }: Pick<Deployment, 'deployment_id'>): string =>
  `the deployment ${deployment_id} cannot be read`;

export const getAllUserDeployments = defineOperation({
  method: 'GET',
  path: '/broker/get_all_user_deployments',
  name: 'get_all_user_deployments',
  summary: 'List the deployments of a user',
  description: 'Deployments of every `type`, running and ended, newest first.',
  caller: 'integrator',
  input: { query: z.object({ user_email: z.string(), ...pageQuery }) },
  output: pageOf('IntegratorDeployment', integratorDeployment),
  errors: READING_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email: email, ...choice } }, call) => {
    const { broker, deployments, prices, total } = await deploymentsOf(call, email, 'all', choice);
    const present = (deployment: Deployment) => presentDeployment(deployment, broker, prices, call.now);
    return toPage(
      deployments.flatMap((deployment) => readable(present, deployment, placeOf, call.onDamaged) ?? []),
      total,
      choice,
    );
  },
});
