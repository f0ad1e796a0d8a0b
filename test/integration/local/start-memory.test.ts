import { expect, test } from '@jest/globals';
import { soakable } from '../../support/soak.ts';
import { familyOf, processesWith, residentMb, startService } from './service.ts';

// `demo-data.test.ts` checks the memory of a service with all demo data on disk.
test('the service in memory is ready with at most 350 MB in all of its processes, and no compiler left', async () => {
  const history = soakable(0, 1) === 1 ? 'yes' : 'no';
  const service = await startService({ HUB_DEMO_HISTORY: history }, '--memory');
  const family = familyOf(service);
  expect(residentMb(family)).toBeLessThan(350);
  expect(processesWith('esbuild').filter((pid) => family.includes(pid))).toEqual([]);
  service.process.kill('SIGINT');
  expect(await service.exited).toBe(0);
});
