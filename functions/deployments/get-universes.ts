import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { listUniverses } from '../../shared/data/instruments/universes.ts';

const universeOut = extensionRecord(
  'Universe',
  z.object({
    universe_id: z.string(),
    name: z.string(),
    description: z.string(),
    symbols: z.array(z.string()),
    symbols_count: integer(),
  }),
);

/** Symbols of a universe that the list shows. */
const MAX_SHOWN = 10;

export const getUniverses = defineOperation({
  method: 'GET',
  path: '/get_universes',
  name: 'get_universes',
  summary: 'List the universes of instruments',
  description: `Sets of instruments that a scanner can watch, by name, each with its first ${MAX_SHOWN} symbols.`,
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: { description: 'Lists the universes of symbols that scanners can watch.' },
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ universes: z.array(universeOut) }),
  errors: ['user_unknown'],
  table: 'read',
  cache: 'private, max-age=60',
  handler: async (_input, call) => {
    const [, universes] = await Promise.all([call.user(), listUniverses(call.store)]);
    return {
      universes: universes.map(({ universe_id, name, description, symbols }) => ({
        universe_id,
        name,
        description,
        symbols: symbols.slice(0, MAX_SHOWN),
        symbols_count: symbols.length,
      })),
    };
  },
});
