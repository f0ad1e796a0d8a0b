import {
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  type LambdaClient,
  PreconditionFailedException,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { functionName, LIVE_ALIAS } from '../names.ts';
import type { HubConfig } from '../stage.ts';
import { ReleaseError } from './release-error.ts';

/** Returns the error for aliases that CodeDeploy is moving. */
const shifting = ({ stage }: Pick<HubConfig, 'stage'>, names: readonly string[]): ReleaseError =>
  new ReleaseError(
    `Traffic shifts to a new version of ${names.join(', ')}: a deployment is running. Wait until it has ended, or cancel ` +
      `it, which points back: aws cloudformation cancel-update-stack --stack-name strategy-hub-${stage}-api (or -events).`,
  );

interface Alias {
  readonly version: string;
  readonly revisionId: string | undefined;
  readonly isShifting: boolean;
}

/** Lambda allows 15 calls a second of all kinds that change or read functions. The SDK waits and repeats beyond it. */
const AT_ONCE = 5;
/** Attempts for an alias that another one changes at the same time. */
const ATTEMPTS = 3;

/** Calls a function for all names, some at a time. */
export const forAll = async <T>(
  names: readonly string[],
  call: (name: string) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> => {
  const results: PromiseSettledResult<T>[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    results.push(...(await Promise.allSettled(names.slice(at, at + AT_ONCE).map(call))));
  }
  return results;
};

/** The aliases that the callers of a stage's functions invoke. */
export class Aliases {
  readonly #lambda: LambdaClient;
  readonly #config: Pick<HubConfig, 'stage'>;

  constructor(lambda: LambdaClient, config: Pick<HubConfig, 'stage'>) {
    this.#lambda = lambda;
    this.#config = config;
  }

  /**
   * Returns the versions of functions, without those that do not exist or have no alias yet.
   *
   * @throws ReleaseError while traffic shifts.
   */
  async versions(names: readonly string[]): Promise<Map<string, string>> {
    const found = await forAll(names, async (name) => ({ name, alias: await this.#read(name) }));
    const versions = new Map<string, string>();
    const moving: string[] = [];
    for (const one of found) {
      if (one.status === 'rejected') throw one.reason;
      const { name, alias } = one.value;
      if (alias?.isShifting) moving.push(name);
      if (alias) versions.set(name, alias.version);
    }
    if (moving.length > 0) throw shifting(this.#config, moving);
    return versions;
  }

  /** Returns the values that a setting has in the versions that run, without functions that do not exist or lack it. */
  async settings(names: readonly string[], setting: string): Promise<Set<string>> {
    const values = new Set<string>();
    for (const one of await forAll(names, (name) => this.#setting(name, setting))) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value !== undefined) values.add(one.value);
    }
    return values;
  }

  /**
   * Points a function to a version. Returns the one before, or undefined if it points there already.
   *
   * @throws ReleaseError while traffic shifts.
   */
  async point(name: string, version: string): Promise<string | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const alias = await this.#read(name);
      if (!alias) throw new Error(`the function ${name} has no alias ${LIVE_ALIAS}`);
      if (alias.isShifting) throw shifting(this.#config, [name]);
      if (alias.version === version) return undefined;
      try {
        await this.#lambda.send(
          new UpdateAliasCommand({
            FunctionName: functionName(this.#config, name),
            Name: LIVE_ALIAS,
            FunctionVersion: version,
            RoutingConfig: { AdditionalVersionWeights: {} },
            RevisionId: alias.revisionId,
          }),
        );
        return alias.version;
      } catch (error) {
        if (!(error instanceof PreconditionFailedException) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #setting(name: string, setting: string): Promise<string | undefined> {
    try {
      const { Environment } = await this.#lambda.send(
        new GetFunctionConfigurationCommand({
          FunctionName: functionName(this.#config, name),
          Qualifier: LIVE_ALIAS,
        }),
      );
      return Environment?.Variables?.[setting];
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  async #read(name: string): Promise<Alias | undefined> {
    try {
      const { FunctionVersion, RevisionId, RoutingConfig } = await this.#lambda.send(
        new GetAliasCommand({ FunctionName: functionName(this.#config, name), Name: LIVE_ALIAS }),
      );
      if (FunctionVersion === undefined) throw new Error(`the alias of ${name} has no version`);
      return {
        version: FunctionVersion,
        revisionId: RevisionId,
        isShifting: Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0,
      };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}
