import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import packageJson from '../../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAX_README_BYTES = 12_000;

const PAGES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, part]) => part ?? []);

/** Returns the anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test('the README has at most 12 KB', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES);
});

test('the README names the version of the embedded database for other platforms', () => {
  const version = packageJson.optionalDependencies['@dynoxide/linux-x64'];
  expect(textOf('README.md')).toContain(`npx dynoxide@${version} --port 8000`);
});

test.each(PAGES)('%s links to pages and headings that exist', (page) => {
  const missing = found(textOf(page), /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return (
        anchor !== undefined && !found(textOf(target), /^#+ (.+)$/gm).some((h) => anchorOf(h) === anchor)
      );
    });
  expect(missing).toEqual([]);
});

test.each(PAGES)('%s names files that exist', (page) => {
  const missing = found(textOf(page), /`((?:functions|shared|infra|test)\/[\w./-]+)`/g).filter(
    // The example of a new file.
    (path) => path !== 'functions/users/count-users.ts' && !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});

test.each(PAGES)('%s names npm scripts that exist', (page) => {
  const missing = found(textOf(page), /npm run (?:-s )?([\w:-]+)/g).filter(
    (script) => !Object.hasOwn(packageJson.scripts, script),
  );
  expect(missing).toEqual([]);
});
