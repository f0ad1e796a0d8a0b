import { expect, test } from '@jest/globals';
import { killLoop } from '../kill/loop.ts';
import { soakable } from '../support/soak.ts';

test(
  'consumers that are killed again and again leave what undisturbed ones leave',
  async () => {
    const [events, kills] = [soakable(120, 1000), soakable(3, 20)];
    const killed = await killLoop(events, kills);
    expect(killed).toMatchObject({ events, kills });
    expect(killed.died).toBeGreaterThan(0);
    expect(killed.disturbed).toEqual(killed.undisturbed);
    // In ms. Each kill starts a process.
  },
  soakable(120_000, 300_000),
);
