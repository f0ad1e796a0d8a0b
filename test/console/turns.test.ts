import { expect, test } from '@jest/globals';
import { turns } from '../../functions/console/app/ui/turns.ts';

const counted = () => {
  let started = 0;
  const { ask, begin, end, drop } = turns(() => {
    started += 1;
  });
  return { ask, begin, end, drop, started: () => started };
};

test('a load that is asked for while one runs comes once, after it', () => {
  const { ask, begin, end, started } = counted();
  ask();
  expect(started()).toBe(1);
  begin();
  ask();
  ask();
  expect(started()).toBe(1);
  end();
  expect(started()).toBe(2);
  begin();
  end();
  expect(started()).toBe(2);
});

test('a load that was given up leaves nothing to wait for', () => {
  const { ask, begin, drop, started } = counted();
  begin();
  ask();
  drop();
  expect(started()).toBe(0);
  ask();
  expect(started()).toBe(1);
});
