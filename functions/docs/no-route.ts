import * as z from 'zod';
import { defineOperation, type Operation, RawAnswer } from '../../shared/api/operation.ts';
import { plainError } from './answers.ts';
import type { Assets } from './assets.ts';

/** Every declared path with its methods, as the build writes it down. */
const routeTable = z.record(z.string(), z.array(z.string()));

const matches = (template: string, path: string): boolean => {
  const expected = template.split('/');
  const found = path.split('/');
  return (
    expected.length === found.length &&
    expected.every((part, index) => (part.startsWith('{') ? found[index] !== '' : part === found[index]))
  );
};

/** The methods that a path answers to; none where there is no such path. */
const methodsAt = async (assets: Assets, path: string): Promise<string[]> => {
  const { plain } = await assets('routes.json');
  const table = routeTable.parse(JSON.parse((await plain()).toString()));
  return Object.entries(table).flatMap(([template, methods]) => (matches(template, path) ? methods : []));
};

/**
 * Says why a request reached no operation. It dispatches nothing: the gateway has done that, and this
 * only tells an unknown path from a known one under another method.
 */
export const noRoute = (assets: Assets): Operation =>
  defineOperation({
    method: 'ANY',
    path: '/{proxy}',
    name: 'no_route',
    summary: 'Whatever no other operation answers',
    caller: 'anyone',
    extension: true,
    input: {},
    output: z.never(),
    errors: [],
    table: 'none',
    handler: async (_input, { method, path }) => {
      const methods = await methodsAt(assets, path);
      if (methods.length === 0) return plainError(404, 'Not Found');
      const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
      return method === 'OPTIONS'
        ? new RawAnswer(204, { allow }, '')
        : plainError(405, 'Method Not Allowed', { allow });
    },
  });
