import type { Metafile } from 'esbuild';

/** Size of the code that costs about as much of a cold start as one more file. */
const FILE_BYTES = 3000;
/** A bundle is left as it is if no operation loads more files, since a second bundling takes half as long as the first. */
const FEW_FILES = 8;

const PROJECT_MODULE = /^(?:functions|shared)\//;

/** Modules that the same entries load: either of the project or of packages. */
interface Atom {
  readonly modules: string[];
  readonly isProject: boolean;
  bytes: number;
}

/** For each atom the set of entries that load it, as bits. esbuild writes a file for each set. */
type Sets = readonly bigint[];

/** Modules to import without need, by the entry point of esbuild's metafile. */
export type Joined = ReadonlyMap<string, readonly string[]>;

const bit = (index: number): bigint => 1n << BigInt(index);

/** Finds the entries of a bundle and, for each module with code, the set of entries that load it. */
const readSets = ({ outputs }: Metafile) => {
  const paths = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint !== undefined);
  const sets = new Map<string, bigint>();
  for (const [index, path] of paths.entries()) {
    const load = (file: string): void => {
      const set = sets.get(file) ?? 0n;
      if ((set & bit(index)) !== 0n) return;
      sets.set(file, set | bit(index));
      for (const { path: imported, kind } of outputs[file]?.imports ?? []) {
        if (kind === 'import-statement') load(imported);
      }
    };
    load(path);
  }
  const entries = paths.map((path) => outputs[path]?.entryPoint ?? '');
  const modules = [...sets].flatMap(([file, set]) => {
    const { bytes = 0, inputs = {} } = outputs[file] ?? {};
    const code = Object.values(inputs).reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0);
    // Count the imports and exports between files as a part of each module.
    return Object.entries(inputs).map(
      ([module, { bytesInOutput }]) =>
        [module, { set, bytes: code === 0 ? 0 : (bytesInOutput * bytes) / code }] as const,
    );
  });
  return { entries, modules: new Map(modules) };
};

/** Groups the modules into atoms, and finds the atoms that each atom imports, also through others. */
const readAtoms = ({ inputs }: Metafile, modules: ReturnType<typeof readSets>['modules']) => {
  const atoms: Atom[] = [];
  const sets: bigint[] = [];
  const numbers = new Map<string, number>();
  const atomOf = new Map<string, number>();
  for (const [module, { set, bytes }] of modules) {
    const isProject = PROJECT_MODULE.test(module);
    const key = `${set} ${isProject}`;
    const number = numbers.get(key) ?? atoms.length;
    const atom = atoms[number] ?? { modules: [], isProject, bytes: 0 };
    atom.modules.push(module);
    atom.bytes += bytes;
    atoms[number] = atom;
    sets[number] = set;
    numbers.set(key, number);
    atomOf.set(module, number);
  }
  const needs = atoms.map((atom) => {
    const seen = new Set<string>();
    const visit = (module: string): void => {
      if (seen.has(module)) return;
      seen.add(module);
      for (const { path, kind } of inputs[module]?.imports ?? []) {
        if (kind === 'import-statement') visit(path);
      }
      // Joined modules come with all others of their atom, and so do the imports of these.
      const own = atoms[atomOf.get(module) ?? -1];
      if (own?.isProject) own.modules.forEach(visit);
    };
    atom.modules.forEach(visit);
    return [...new Set([...seen].flatMap((module) => atomOf.get(module) ?? []))];
  });
  return { atoms, sets, needs };
};

/** Returns the indexes of atoms by their set, one list for each file that esbuild would write. */
const filesOf = (sets: Sets): Map<bigint, number[]> => {
  const files = new Map<bigint, number[]>();
  for (const [index, set] of sets.entries()) {
    const file = files.get(set);
    if (file) file.push(index);
    else files.set(set, [index]);
  }
  return files;
};

/**
 * Plans imports that make late parts share fewer, larger files. esbuild writes a file for each set of parts that share
 * modules. If a part imports a module that it does not need, that module joins the file of another set. Joins two files
 * as long as the operations together then load less, with each file counted as {@link FILE_BYTES}.
 *
 * @param isOperation whether the entry point is an operation, whose files count
 * @param maxBytes the maximum size of the code of an operation and all that it imports
 */
export const joinParts = (
  metafile: Metafile,
  isOperation: (entryPoint: string) => boolean,
  maxBytes: number,
): Joined => {
  const { entries, modules } = readSets(metafile);
  const { atoms, sets: first, needs } = readAtoms(metafile, modules);
  const operations = entries.flatMap((entry, index) => (isOperation(entry) ? [bit(index)] : []));
  const counts = new Map<bigint, number>();
  const countOf = (set: bigint): number => {
    const known = counts.get(set);
    if (known !== undefined) return known;
    const count = operations.filter((one) => (set & one) !== 0n).length;
    counts.set(set, count);
    return count;
  };
  const bytesOf = (file: readonly number[]): number =>
    file.reduce((sum, index) => sum + (atoms[index]?.bytes ?? 0), 0);
  const costOf = (sets: Sets): number =>
    [...filesOf(sets)].reduce((sum, [set, file]) => sum + countOf(set) * (bytesOf(file) + FILE_BYTES), 0);
  const loadedBy = (operation: bigint, sets: Sets): number[] =>
    sets.flatMap((set, index) => ((set & operation) === 0n ? [] : [index]));
  const isTooLarge = (sets: Sets): boolean =>
    operations.some((one) => bytesOf(loadedBy(one, sets)) > maxBytes);
  /** Joins two files: every part that loads one then loads both, and all that they import. */
  const join = (sets: Sets, files: readonly (readonly number[])[], all: bigint): bigint[] => {
    const joined = [...sets];
    for (const index of files.flat()) {
      if (!atoms[index]?.isProject) continue;
      for (const needed of needs[index] ?? []) joined[needed] = (joined[needed] ?? 0n) | all;
    }
    return joined;
  };
  const countFiles = (operation: bigint): number =>
    new Set(loadedBy(operation, first).map((index) => first[index])).size;
  if (operations.every((one) => countFiles(one) <= FEW_FILES)) return new Map();
  let sets: Sets = first;
  let cost = costOf(sets);
  for (;;) {
    let better: { sets: Sets; cost: number } | undefined;
    const files = [...filesOf(sets)].filter(([set]) => countOf(set) > 0);
    for (const [place, [set, file]] of files.entries()) {
      for (const [other, otherFile] of files.slice(place + 1)) {
        const saved = countOf(set & other) * FILE_BYTES;
        const spent = countOf(other & ~set) * bytesOf(file) + countOf(set & ~other) * bytesOf(otherFile);
        if (saved <= spent) continue;
        const joined = join(sets, [file, otherFile], set | other);
        const joinedCost = costOf(joined);
        if (joinedCost < (better?.cost ?? cost) && !isTooLarge(joined))
          better = { sets: joined, cost: joinedCost };
      }
    }
    if (!better) break;
    ({ sets, cost } = better);
  }
  const added = entries.map((entry, index) => {
    const modules = atoms.flatMap((atom, number) => {
      const more = (sets[number] ?? 0n) & ~(first[number] ?? 0n);
      return atom.isProject && (more & bit(index)) !== 0n ? atom.modules : [];
    });
    return [entry, modules] as const;
  });
  return new Map(added.filter(([, modules]) => modules.length > 0));
};
