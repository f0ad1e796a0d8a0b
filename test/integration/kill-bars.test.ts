import { expect, test } from '@jest/globals';
import { killBars } from '../kill/bars.ts';
import { soakable } from '../support/soak.ts';

test(
  'workers that are killed again and again over bars leave what an undisturbed one leaves, and the fills of backtests',
  async () => {
    const [bars, kills] = [soakable(100, 10_000), soakable(3, 30)];
    const killed = await killBars(bars, kills);
    expect(killed).toMatchObject({ bars, kills });
    expect(killed.died).toBeGreaterThan(0);
    expect(killed.fills).toBeGreaterThan(bars / 20);
    for (const { fills, expected } of killed.traded) expect(fills).toEqual(expected);
    expect(killed.disturbed).toEqual(killed.undisturbed);
  },
  // In ms. Each kill starts a process.
  soakable(120_000, 300_000),
);
