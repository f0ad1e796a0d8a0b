import { expect, test } from '@jest/globals';
import { killLoop } from '../kill/loop.ts';

test('consumers that are killed again and again leave what undisturbed ones leave', async () => {
  const killed = await killLoop(600, 10);
  expect(killed).toMatchObject({ events: 600, kills: 10 });
  expect(killed.died).toBeGreaterThan(0);
  expect(killed.disturbed).toEqual(killed.undisturbed);
}, 240_000);
