import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { pageOfDeployments } from './forms/list-deployments.ts';
import {
  notificationDeploymentOut,
  presentNotificationDeployment,
} from './records/notification-deployment.ts';

export const getAllNotificationDeployments = defineOperation({
  method: 'GET',
  path: '/get_all_notification_deployments',
  name: 'get_all_notification_deployments',
  summary: 'List the notification deployments of a user',
  description: 'Running and ended deployments, newest first.',
  caller: 'user',
  scope: 'read',
  assistant: { description: 'Lists the notification deployments of the user by page.' },
  input: { query: z.object({ user_id: z.string(), ...pageQuery }) },
  output: pageOf('NotificationDeploymentOut', notificationDeploymentOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, ...choice } }, call) => {
    const { deployments, total, marks } = await pageOfDeployments(call, userId, 'notification', choice);
    return toPage(
      deployments.map((deployment) => presentNotificationDeployment(deployment, marks)),
      total,
      choice,
    );
  },
});
