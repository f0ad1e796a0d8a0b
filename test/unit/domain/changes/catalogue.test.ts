import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, changeTypes } from '../../../../shared/domain/changes/catalogue.ts';
import { type ChangeEvent, changeEventSchema } from '../../../../shared/domain/changes/change-event.ts';

describe('catalogue of change events', () => {
  test.each(changeTypes())('%s has a name of two parts, and brokers get only fields that it has', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
    const { data, broker } = CATALOGUE[type];
    expect(Object.keys(data.shape)).toEqual(expect.arrayContaining([...broker]));
  });

  test('an event of a newer version stays whole', () => {
    const newer: ChangeEvent = {
      id: 'a',
      type: 'moon.landed',
      at: '2026-01-01T00:00:00.000Z',
      data: { crew: [{ n: 3 }] },
    };
    expect(changeEventSchema.parse(newer)).toEqual(newer);
  });
});
