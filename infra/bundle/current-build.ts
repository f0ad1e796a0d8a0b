import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import { type Build, buildSchema, type RecordedBuild, recordedBuild } from './built.ts';

const said = z.union([z.object({ built: buildSchema }), z.object({ failed: z.string() })]);

/** Bundles in a new process, which frees the memory of the compiler and of all loaded sources when it ends. */
const buildApart = async (): Promise<Build> => {
  const child = fork(new URL('./build-process.ts', import.meta.url), {
    execArgv: [],
    // Use a separate process group, so that Ctrl-C reaches the service only, which then ends this process too.
    detached: true,
  });
  let outcome: z.output<typeof said> | undefined;
  child.on('message', (message: unknown) => {
    outcome = said.parse(message);
  });
  const [code] = await once(child, 'exit');
  if (outcome && 'built' in outcome) return outcome.built;
  throw new Error(outcome ? outcome.failed : `the functions could not be bundled: exit code ${code}`);
};

/**
 * Returns the functions of the service and their bundles, and bundles again if the sources have changed. Unlike
 * `currentBundles`, it loads no source of a function into this process. Without a digest if the sources changed meanwhile.
 */
export const currentBuild = async (
  print: (line: string) => void = () => undefined,
): Promise<Build & Partial<RecordedBuild>> => {
  const recorded = await recordedBuild();
  if (recorded) return recorded;
  print('Bundling the functions');
  const built = await buildApart();
  return (await recordedBuild()) ?? built;
};
