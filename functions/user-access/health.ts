import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { listBrokers } from '../../shared/data/brokers/brokers.ts';
import { API_VERSION } from '../../shared/version.ts';

const PATIENCE_MS = 1_000;

export const health = defineOperation({
  method: 'GET',
  path: '/health',
  name: 'health',
  summary: 'Liveness and readiness',
  description: '`status` is `degraded` when the service runs but a check fails.',
  caller: 'anyone',
  input: {},
  output: z.object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    /** `unwritable` and `detail` come from the local service alone. */
    checks: z.object({ table: z.enum(['ok', 'unreachable', 'unwritable']) }),
    detail: z.string().optional(),
  }),
  errors: [],
  table: 'read',
  handler: async (_input, call) => {
    const reached = async (): Promise<boolean> => {
      try {
        await listBrokers(call.store, 1);
        return true;
      } catch (error) {
        call.log.error('the table is unreachable', {
          error_name: error instanceof Error ? error.name : typeof error,
        });
        return false;
      }
    };
    const table = (await Promise.race([reached(), sleep(PATIENCE_MS, false, { ref: false })]))
      ? 'ok'
      : 'unreachable';
    return { status: table === 'ok' ? 'ok' : 'degraded', version: API_VERSION, checks: { table } };
  },
});
