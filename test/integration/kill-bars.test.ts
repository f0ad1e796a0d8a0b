import { expect } from '@jest/globals';
import { killBars } from '../kill/bars.ts';
import { nearFills } from '../support/near-fills.ts';
import { inSoak } from '../support/soak.ts';

inSoak(
  'workers that are killed again and again over bars leave what an undisturbed one leaves, and the fills of backtests',
  async () => {
    const [bars, kills] = [10_000, 30];
    const killed = await killBars(bars, kills);
    expect(killed).toMatchObject({ bars, kills });
    expect(killed.died).toBeGreaterThan(0);
    expect(killed.fills).toBeGreaterThan(bars / 20);
    for (const { fills, expected } of killed.traded) expect(fills).toEqual(nearFills(expected));
    expect(killed.disturbed).toEqual(killed.undisturbed);
  },
  // In ms. Each kill starts a process.
);
