import { expect, test } from '@jest/globals';
import { settingOf } from '../../../shared/data/table/writes.ts';

test('an attribute whose name looks like those of two others has a setting of its own', () => {
  const [strange, two] = [{ 'a\n+b': 1 }, { a: 1, b: 2 }];
  expect(settingOf(strange)).toEqual({
    update: 'SET #set0 = :set0',
    names: { '#set0': 'a\n+b' },
    values: { ':set0': 1 },
  });
  expect(settingOf(two)).toEqual({
    update: 'SET #set0 = :set0, #set1 = :set1',
    names: { '#set0': 'a', '#set1': 'b' },
    values: { ':set0': 1, ':set1': 2 },
  });
});

test('an undefined attribute is removed', () => {
  expect(settingOf({ ledger: 'L', stopping: undefined })).toEqual({
    update: 'SET #set0 = :set0 REMOVE #set1',
    names: { '#set0': 'ledger', '#set1': 'stopping' },
    values: { ':set0': 'L' },
  });
});
