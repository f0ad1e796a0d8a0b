import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { type Aliases, forAll } from './aliases.ts';
import { type EdgeSettings, keepReachable } from './edge.ts';
import type { HeldLock, ReleaseCommand, ReleaseLock } from './lock.ts';
import { consumersFirst } from './order.ts';
import type { ReleaseParameters, ReleaseRecord } from './record.ts';
import { ReleaseError, reasonOf } from './release-error.ts';

/** A stage that is released. */
export interface StageToRelease {
  readonly stage: string;
  /** Distribution in front of the API as the configuration has it. */
  readonly edge: EdgeSettings | undefined;
  readonly functions: readonly Pick<FunctionDeclaration, 'name' | 'trigger'>[];
  readonly aliases: Aliases;
  readonly parameters: ReleaseParameters;
  readonly lock: ReleaseLock;
  /** Takes the lock of another run that was killed. */
  readonly takeOver: boolean;
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

/** A stage whose lock this run holds. */
type HeldStage = StageToRelease & Pick<HeldLock, 'confirm'>;

/** Runs a command while no other one changes the stage. */
const alone = async <T>(
  stage: StageToRelease,
  command: ReleaseCommand,
  run: (held: HeldStage) => Promise<T>,
): Promise<T> => {
  const { lock, takeOver, now, print } = stage;
  const { confirm, free } = await lock.take(command, { now: now(), takeOver, print });
  try {
    return await run({ ...stage, confirm });
  } finally {
    await free();
  }
};

const namesOf = ({ functions }: StageToRelease): string[] => functions.map(({ name }) => name);

/** Points functions to versions, wave by wave. A wave begins when all of the one before are done. */
const pointAll = async (
  { stage, aliases, confirm, print }: HeldStage,
  waves: readonly (readonly string[])[],
  versions: ReadonlyMap<string, string>,
): Promise<number> => {
  let moved = 0;
  for (const wave of waves) {
    const names = wave.filter((name) => versions.has(name));
    await confirm();
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
      print(`${name}: ${reasonOf(reason)}`);
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

/** Points all functions back to the recorded versions. */
const goBack = async (stage: HeldStage): Promise<void> => {
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

/**
 * Points all functions back to the versions before the latest release, producers of messages and events first.
 * Idempotent, so an interrupted roll-back can be repeated.
 *
 * @throws ReleaseError if another release runs, if there is nothing to roll back to, or if a function could not be moved.
 */
export const rollBack = (stage: StageToRelease): Promise<void> => alone(stage, 'roll-back', goBack);

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

/**
 * Points functions to the versions that CloudFormation knows, where a roll-back had moved them and no code changed.
 * Returns their number.
 */
const agree = async (stage: HeldStage): Promise<number> => {
  const known = await stage.parameters.known();
  const live = await stage.aliases.versions(namesOf(stage));
  const apart = new Map([...known].filter(([name, version]) => live.has(name) && live.get(name) !== version));
  return pointAll(stage, wavesOf(stage), apart);
};

/** Runs a step after the deployment. A failure that says nothing itself gets the state of the stage and the next command. */
const orSay = async <T>(state: string, next: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(`${state} (${reasonOf(error)}). ${next}`, { cause: error });
  }
};

/**
 * Lets the aliases agree with what was deployed. Returns false if the lock, the versions or the aliases cannot be read: the
 * check changes nothing, so it must not wait for that.
 *
 * @throws ReleaseError if another run has taken the lock over, or if a function could not be moved.
 */
const settle = async (stage: HeldStage): Promise<boolean> => {
  try {
    await stage.confirm();
    await agree(stage);
    return true;
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    stage.print(
      `The state of the release cannot be read (${reasonOf(error)}). The service is checked all the same.`,
    );
    return false;
  }
};

/** Checks the service with what was deployed. Returns false if it does not work. */
const checkDeployed = async (stage: HeldStage, check: Release['check']): Promise<boolean> => {
  const isSettled = await settle(stage);
  const checked = (): Promise<boolean> =>
    orSay(
      'The release is deployed, but the service was not checked',
      `Check it: npm run smoke -- --url ADDRESS. If it does not work: npm run roll-back -- --stage ${stage.stage}`,
      check,
    );
  const works = await checked();
  if (!works || isSettled) return works;
  const moved = await orSay(
    'The service works with what was deployed, but functions that a roll-back had moved may still have their earlier versions',
    `Once the reason is gone: npm run deploy -- --stage ${stage.stage}`,
    async () => {
      await stage.confirm();
      return agree(stage);
    },
  );
  return moved === 0 || checked();
};

const deployAndCheck = async (stage: HeldStage, { commit, deploy, check }: Release): Promise<boolean> => {
  const { aliases, parameters, confirm, print } = stage;
  await keepReachable(stage);
  const live = await aliases.versions(namesOf(stage));
  const known = await parameters.known();
  const moved = [...live].flatMap(([name, version]) =>
    known.has(name) && known.get(name) !== version ? [name] : [],
  );
  if (moved.length > 0) print(`Moved since the last deployment, so all at once: ${moved.join(', ')}`);
  const record = await begin(stage, live, commit);
  const deployed = await deploy(moved);
  if (deployed && (await checkDeployed(stage, check))) {
    await orSay(
      'The service works with the release, but that could not be recorded, so the release counts as interrupted',
      `Once the reason is gone: npm run deploy -- --stage ${stage.stage}`,
      async () => {
        await confirm();
        await parameters.write({ ...record, state: 'released' });
      },
    );
    print('The release is live.');
    return true;
  }
  print(deployed ? 'The service does not work with the release.' : 'The deployment failed.');
  if (Object.keys(record.versions).length === 0) {
    print('There is no version before it to roll back to. Mend it and deploy again.');
    return false;
  }
  await orSay(
    `${deployed ? 'The service does not work with the release' : 'The deployment failed'}, and the roll-back did not end`,
    `Once the reason is gone: npm run roll-back -- --stage ${stage.stage}, then npm run smoke -- --url ADDRESS`,
    async () => {
      await confirm();
      await goBack(stage);
    },
  );
  const works = await orSay(
    'All functions have their versions before the release, but the service was not checked',
    'Check it: npm run smoke -- --url ADDRESS',
    check,
  );
  print(
    works
      ? 'The service works with the versions before the release.'
      : 'The service does not work with the versions before the release either. See infra/RUNBOOK.md.',
  );
  return false;
};

/**
 * Releases a stage: records the versions of all functions, deploys, and checks the service. If a step fails, all
 * functions go back to the recorded versions. Returns true if the release is live.
 *
 * @throws ReleaseError if another release runs, or if the roll-back failed.
 */
export const release = (stage: StageToRelease, given: Release): Promise<boolean> =>
  alone(stage, 'deploy', (held) => deployAndCheck(held, given));
