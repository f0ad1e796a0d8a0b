import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build, type Metafile } from 'esbuild';
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

/** A module, with the operations that load it. */
interface Module {
  readonly bytes: number;
  readonly by: string;
  readonly imports?: readonly string[];
}

const pathOf = (name: string): string => `functions/${name}.ts`;
const importing = (path: string) => ({ path, kind: 'import-statement' as const });

/** Builds the metafile of operations named by a letter: a file for each set of operations that load the same modules. */
const metafileOf = (operations: readonly string[], modules: Readonly<Record<string, Module>>): Metafile => {
  const sets = [...new Set(Object.values(modules).map(({ by }) => by))];
  const files = sets.map((by) => {
    const own = Object.entries(modules).filter(([, module]) => module.by === by);
    const inputs = Object.fromEntries(
      own.map(([name, { bytes }]) => [pathOf(name), { bytesInOutput: bytes }]),
    );
    const bytes = own.reduce((sum, [, module]) => sum + module.bytes, 0);
    return [`out/${by}.js`, { bytes, inputs, imports: [], exports: [] }] as const;
  });
  const entries = operations.map((one) => {
    const imports = sets.filter((by) => by.includes(one)).map((by) => importing(`out/${by}.js`));
    const inputs = { [`late:${one}`]: { bytesInOutput: 10 } };
    return [`out/${one}.js`, { bytes: 10, inputs, imports, exports: [], entryPoint: `late:${one}` }] as const;
  });
  const inputs = Object.entries(modules).map(([name, { bytes, imports = [] }]) => [
    pathOf(name),
    { bytes, imports: imports.map((other) => importing(pathOf(other))) },
  ]);
  return { inputs: Object.fromEntries(inputs), outputs: Object.fromEntries([...files, ...entries]) };
};

test('a module that comes along with a joined one counts with all that it imports', () => {
  const large = 30_000;
  // `x` needs only `text`, but `forms` has the same operations and comes along, with the phone numbers that it needs.
  const metafile = metafileOf([...'abcdefgh'], {
    x: { bytes: 7000, by: 'abfg', imports: ['text'] },
    z: { bytes: 10, by: 'abdfg' },
    text: { bytes: 10, by: 'abcfgh' },
    forms: { bytes: 10, by: 'abcfgh', imports: ['phone'] },
    phone: { bytes: large, by: 'abcefgh' },
    // The operation `e` loads as much as it may, so the phone numbers keep a file of their own.
    ...Object.fromEntries([...'abcdfgh'].map((one) => [`large${one}`, { bytes: large, by: `${one}e` }])),
  });
  // Without the phone numbers, `d` would load `x` and `z` in one file.
  expect(joinParts(metafile, () => true, 8 * large + 15).get('late:d')).toBeUndefined();
});

test('large modules, and those of parts that are no operations, are not joined', async () => {
  const large = await bundled('large', 30_000);
  expect(joinParts(large.metafile, () => true, MORE_THAN_ALL).size).toBe(0);
  const { metafile } = await bundled('others', 10);
  expect(joinParts(metafile, () => false, MORE_THAN_ALL).size).toBe(0);
});
