import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { unknownDeployment, unknownUser } from '../../shared/api/refusals.ts';
import { auditEntrySchema } from '../../shared/data/audit/audit-entry.ts';
import { auditList, deploymentAuditList } from '../../shared/data/audit/audit-trail.ts';
import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { auditEntryOut, presentAudit } from './records/audit-entry.ts';

export const getAuditTrail = defineOperation({
  method: 'GET',
  path: '/get_audit_trail',
  name: 'get_audit_trail',
  summary: 'List who did what to the deployments of a user, and why',
  description:
    'Pauses, resumes, halts, stops, changes and trips of risk limits, and kill switches, newest first; with `deployment_id`, ' +
    'those of one deployment. Entries never change and are never removed.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description: 'Lists commands and changes of a deployment with their authors and reasons, by page.',
  },
  input: { query: z.object({ user_id: z.string(), deployment_id: integer().optional(), ...pageQuery }) },
  output: pageOf('AuditEntries', auditEntryOut),
  errors: ['user_unknown', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id, ...choice } }, call) => {
    const list = id === undefined ? auditList(userId) : deploymentAuditList(id);
    const user = keys.user(userId);
    const own = id === undefined ? [] : [keys.deployment(id)];
    const items = await call.store.getMany([user, headKey(list), ...own], { consistent: true });
    if (!itemWith(items, user)) throw unknownUser();
    for (const key of own) {
      if (asDeployment(itemWith(items, key))?.user_id !== userId) throw unknownDeployment();
    }
    const page = { ...choice, head: headIn(list, itemWith(items, headKey(list))) };
    const { entries, total } = await readPage(call.store, list, page, auditEntrySchema, call.onDamaged);
    return toPage(entries.map(presentAudit), total, choice);
  },
});
