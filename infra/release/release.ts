import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { type Aliases, forAll } from './aliases.ts';
import { consumersFirst } from './order.ts';
import type { ReleaseParameters, ReleaseRecord } from './record.ts';
import { ReleaseError } from './release-error.ts';

/** A stage that is released. */
export interface StageToRelease {
  readonly stage: string;
  readonly functions: readonly Pick<FunctionDeclaration, 'name' | 'trigger'>[];
  readonly aliases: Aliases;
  readonly parameters: ReleaseParameters;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

interface Release {
  /** Commit that is released. */
  readonly commit: string | undefined;
  /** Deploys all stacks. CloudFormation points the moved functions without CodeDeploy. Returns false if it failed. */
  readonly deploy: (moved: readonly string[]) => Promise<boolean>;
  /** Checks the running service. Returns false if it does not work. */
  readonly check: () => Promise<boolean>;
}

const namesOf = ({ functions }: StageToRelease): string[] => functions.map(({ name }) => name);

/** Points functions to versions, wave by wave. A wave begins when all of the one before are done. */
const pointAll = async (
  { stage, aliases, print }: StageToRelease,
  waves: readonly (readonly string[])[],
  versions: ReadonlyMap<string, string>,
): Promise<number> => {
  let moved = 0;
  for (const wave of waves) {
    const names = wave.filter((name) => versions.has(name));
    const results = await forAll(names, async (name) => {
      const version = versions.get(name) ?? '';
      const before = await aliases.point(name, version);
      if (before === undefined) return;
      moved += 1;
      print(`${name}: version ${before} → ${version}`);
    });
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ name: names[index], reason: result.reason }] : [],
    );
    for (const { name, reason } of failed) {
      print(`${name}: ${reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason)}`);
    }
    if (failed.length > 0) {
      throw new ReleaseError(
        `${failed.length} functions were not moved, and those after them were left alone. ` +
          `Once the reason is gone: npm run roll-back -- --stage ${stage}`,
      );
    }
  }
  return moved;
};

const wavesOf = (stage: StageToRelease): string[][] =>
  consumersFirst(stage.functions).map((wave) => wave.map(({ name }) => name));

/**
 * Points all functions back to the versions before the latest release, producers of messages and events first.
 * Idempotent, so an interrupted roll-back can be repeated.
 *
 * @throws ReleaseError if there is nothing to roll back to, or if a function could not be moved.
 */
export const rollBack = async (stage: StageToRelease): Promise<void> => {
  const { parameters, now, print } = stage;
  const record = await parameters.read();
  if (!record) {
    throw new ReleaseError(
      `Nothing is recorded for the stage ${stage.stage}: npm run deploy has not released it yet.`,
    );
  }
  const recorded = Object.entries(record.versions);
  if (recorded.length === 0) {
    throw new ReleaseError(`The release of ${record.at} was the first one. There is no version before it.`);
  }
  const live = await stage.aliases.versions(recorded.map(([name]) => name));
  // CloudFormation deletes a function that a release removes, with all its versions and callers.
  const removed = recorded.flatMap(([name]) => (live.has(name) ? [] : [name]));
  if (removed.length > 0) {
    print(`Does not exist any more: ${removed.join(', ')}. Only a deployment brings it back.`);
  }
  const versions = new Map(recorded.filter(([name]) => live.has(name)));
  await parameters.write({ ...record, state: 'rolling_back' });
  const waves = wavesOf(stage).reverse();
  const known = new Set(waves.flat());
  // Functions that this code does not declare have no producer in it.
  const others = [...versions.keys()].filter((name) => !known.has(name));
  const moved = await pointAll(stage, [...waves, others], versions);
  await parameters.write({ ...record, state: 'rolled_back', at: now().toISOString() });
  if (moved === 0) {
    print(`All ${versions.size} functions have their versions from before the release.`);
    return;
  }
  const { commit, previous } = record;
  print(
    `${moved} of ${versions.size} functions are back at their versions before the release${commit ? ` of commit ${commit}` : ''}.`,
  );
  print(
    `CloudFormation still knows the released versions. Deploy ${previous ? `commit ${previous}` : 'the version before'} or a mended one ` +
      `with npm run deploy -- --stage ${stage.stage}, which moves these functions at once. Do not deploy in any other way.`,
  );
};

/** Records the versions that functions have now, for a roll-back. */
const begin = async (
  { parameters, now, print }: StageToRelease,
  live: ReadonlyMap<string, string>,
  commit: string | undefined,
): Promise<ReleaseRecord> => {
  const latest = await parameters.read();
  const isOpen = latest?.state === 'releasing' || latest?.state === 'rolling_back';
  const kept = isOpen && Object.keys(latest.versions).length > 0 ? latest.versions : undefined;
  if (isOpen && kept) {
    print(`The release of ${latest.at} was interrupted. The versions before it stay recorded.`);
  }
  const previous = latest?.state === 'released' ? latest.commit : latest?.previous;
  const record: ReleaseRecord = {
    state: 'releasing',
    at: now().toISOString(),
    ...(commit !== undefined && { commit }),
    ...(previous !== undefined && { previous }),
    versions: kept ?? Object.fromEntries(live),
  };
  await parameters.write(record);
  return record;
};

/** Points functions to the versions that CloudFormation knows, where a roll-back had moved them and no code changed. */
const agree = async (stage: StageToRelease): Promise<void> => {
  const known = await stage.parameters.known();
  const live = await stage.aliases.versions(namesOf(stage));
  const apart = new Map([...known].filter(([name, version]) => live.has(name) && live.get(name) !== version));
  await pointAll(stage, wavesOf(stage), apart);
};

/**
 * Releases a stage: records the versions of all functions, deploys, and checks the service. If a step fails, all
 * functions go back to the recorded versions. Returns true if the release is live.
 *
 * @throws ReleaseError if the roll-back failed.
 */
export const release = async (
  stage: StageToRelease,
  { commit, deploy, check }: Release,
): Promise<boolean> => {
  const { aliases, parameters, print } = stage;
  const live = await aliases.versions(namesOf(stage));
  const known = await parameters.known();
  const moved = [...live].flatMap(([name, version]) =>
    known.has(name) && known.get(name) !== version ? [name] : [],
  );
  if (moved.length > 0) print(`Moved since the last deployment, so all at once: ${moved.join(', ')}`);
  const record = await begin(stage, live, commit);
  const deployed = await deploy(moved);
  if (deployed) await agree(stage);
  if (deployed && (await check())) {
    await parameters.write({ ...record, state: 'released' });
    print('The release is live.');
    return true;
  }
  print(deployed ? 'The service does not work with the release.' : 'The deployment failed.');
  if (Object.keys(record.versions).length === 0) {
    print('There is no version before it to roll back to. Mend it and deploy again.');
    return false;
  }
  await rollBack(stage);
  print(
    (await check())
      ? 'The service works with the versions before the release.'
      : 'The service does not work with the versions before the release either. See infra/RUNBOOK.md.',
  );
  return false;
};
