import { join } from 'node:path';
import * as z from 'zod';
import { readText } from '../../../oracle/cases.ts';
import { checkCase } from '../../../oracle/check.ts';

const DATA = join(import.meta.dirname, 'data');
const cases = z
  .array(z.looseObject({ id: z.string() }))
  .parse(JSON.parse(readText(join(DATA, 'backtests.json.gz'))));

test.each(cases)('backtest $id gives the trades, equity and figures of the other program', (json) => {
  expect(checkCase(json, DATA)).toEqual([]);
});
