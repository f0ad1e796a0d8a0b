import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { pathFiles } from '../../support/path-files.ts';

const page = readFileSync(new URL('../../../functions/README.md', import.meta.url), 'utf8');
const part = page.slice(page.indexOf('## Reading paths'));

/** Reading paths of the page: their title, and their files in order. A part in another function names its entry. */
const PATHS = part
  .split('\n### ')
  .slice(1)
  .map((text): readonly [string, string[]] => [
    text.slice(0, text.indexOf('\n')),
    [...text.matchAll(/^\d+\. `([^`]+)`/gm)].flatMap(([, file]) => file ?? []),
  ]);

test('there is a path for each kind of work', () => {
  expect(PATHS.map(([title]) => title)).toEqual([
    'An `Order Updated` event',
    'A `Bar Closed` event',
    'Deploying a strategy',
    'A sign-in',
    'A backtest',
    'A webhook',
  ]);
});

test.each(PATHS)('%s runs the files of its reading path', async (_, files) => {
  const entries = files.filter(
    (file, index) => index === 0 || file.endsWith('/handler.ts') || file.endsWith('/stack.ts'),
  );
  const run = (await Promise.all(entries.map(pathFiles))).flat();
  expect(files.filter((file) => !run.includes(file))).toEqual([]);
});
