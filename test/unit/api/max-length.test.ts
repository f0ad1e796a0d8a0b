import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { OPERATIONS } from '../../../functions/operations.ts';
import { convertSchemas } from '../../../shared/api/openapi/schemas.ts';

const isTooLong = (schema: z.ZodType, length: number): boolean =>
  schema
    .safeParse('a'.repeat(length))
    .error?.issues.some(
      ({ code, message }) => code === 'too_big' || / at most \d+ characters/.test(message),
    ) ?? false;

test('the longest text that the document allows is the longest that an operation takes', () => {
  const texts = OPERATIONS.flatMap(({ routeKey, input }) =>
    Object.values(input).flatMap((part) =>
      Object.entries(part?.shape ?? {}).flatMap(([name, schema]) => {
        if (!(schema instanceof z.ZodType)) return [];
        const { maxLength } = convertSchemas({ text: schema }, 'input').schemas.text ?? {};
        return typeof maxLength === 'number' ? [{ place: `${routeKey} ${name}`, schema, maxLength }] : [];
      }),
    ),
  );
  expect(texts.length).toBeGreaterThan(20);
  const wrong = texts.filter(
    ({ schema, maxLength }) => isTooLong(schema, maxLength) || !isTooLong(schema, maxLength + 1),
  );
  expect(wrong.map(({ place, maxLength }) => `${place}: ${maxLength}`)).toEqual([]);
});
