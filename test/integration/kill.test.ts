import { expect } from '@jest/globals';
import { killLoop } from '../kill/loop.ts';
import { inSoak } from '../support/soak.ts';

inSoak('consumers that are killed again and again leave what undisturbed ones leave', async () => {
  const [events, kills] = [1000, 20];
  const killed = await killLoop(events, kills);
  expect(killed).toMatchObject({ events, kills });
  expect(killed.died).toBeGreaterThan(0);
  expect(killed.disturbed).toEqual(killed.undisturbed);
  // In ms. Each kill starts a process.
});
