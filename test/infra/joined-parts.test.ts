import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { type Joined, joinParts } from '../../infra/bundle/joined-parts.ts';

const OPERATIONS = ['a', 'b', 'c', 'd', 'e'];
/** Names of shared modules, by the operations that need them: two or three each, so ten for each operation. */
const PAIRS = OPERATIONS.flatMap((left) =>
  OPERATIONS.filter((right) => right > left).map((right) => left + right),
);
const THREES = PAIRS.flatMap((pair) =>
  OPERATIONS.filter((one) => one > pair.slice(-1)).map((one) => pair + one),
);
const SHARED = [...PAIRS, ...THREES];
const MORE_THAN_ALL = 10_000_000;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-parts-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

/** Bundles operations that share modules of a size, and returns the metafile and the number of files of each. */
const bundled = async (name: string, bytes: number, joined: Joined = new Map()) => {
  const root = join(dir, name);
  const folder = join(root, 'functions');
  await mkdir(folder, { recursive: true });
  const write = (one: string, code: string) => writeFile(join(folder, `${one}.js`), code);
  for (const one of SHARED) await write(one, `globalThis.${one} = '${'x'.repeat(bytes)}';`);
  for (const one of OPERATIONS) {
    const needed = SHARED.filter((shared) => shared.includes(one)).map((shared) => `functions/${shared}.js`);
    const paths = [...needed, ...(joined.get(`functions/${one}.js`) ?? [])];
    await write(one, paths.map((path) => `import ${JSON.stringify(join(root, path))};`).join('\n'));
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: OPERATIONS.map((one) => `functions/${one}.js`),
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const filesOf = OPERATIONS.map((one) => metafile.outputs[`out/${one}.js`]?.imports.length);
  return { metafile, filesOf };
};

test('operations that share many small modules share one file with all of them', async () => {
  const { metafile, filesOf } = await bundled('small', 10);
  expect(filesOf).toEqual(OPERATIONS.map(() => 10));
  const joined = joinParts(metafile, () => true, MORE_THAN_ALL);
  expect((await bundled('small', 10, joined)).filesOf).toEqual(OPERATIONS.map(() => 1));
});

test('no operation loads more than the limit for fewer files', async () => {
  const { metafile } = await bundled('limited', 1000);
  const allOf = async (joined: Joined): Promise<number> => {
    const { outputs } = (await bundled('limited', 1000, joined)).metafile;
    const sizes = OPERATIONS.map((one) =>
      [`out/${one}.js`, ...(outputs[`out/${one}.js`]?.imports ?? []).map(({ path }) => path)].reduce(
        (sum, path) => sum + (outputs[path]?.bytes ?? 0),
        0,
      ),
    );
    return Math.max(...sizes);
  };
  const needed = await allOf(new Map());
  expect(await allOf(joinParts(metafile, () => true, MORE_THAN_ALL))).toBeGreaterThan(needed + 5000);
  const limited = await allOf(joinParts(metafile, () => true, needed + 3000));
  expect(limited).toBeGreaterThan(needed);
  // The imports between files are not planned.
  expect(limited * 0.99).toBeLessThanOrEqual(needed + 3000);
});

test('large modules, and those of parts that are no operations, are not joined', async () => {
  const large = await bundled('large', 30_000);
  expect(joinParts(large.metafile, () => true, MORE_THAN_ALL).size).toBe(0);
  const { metafile } = await bundled('others', 10);
  expect(joinParts(metafile, () => false, MORE_THAN_ALL).size).toBe(0);
});
