import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import { deployedFunctions } from '../deployed.ts';
import type { HubConfig } from '../stage.ts';
import { Aliases } from './aliases.ts';
import { ReleaseLock } from './lock.ts';
import { ReleaseParameters } from './record.ts';
import type { StageToRelease } from './release.ts';

/** Lambda limits its calls for changes to 15 a second for an account. */
const MAX_ATTEMPTS = 8;

/**
 * Connects to the functions of a stage on AWS, with the credentials of the environment.
 *
 * @param takeOver takes the lock of another run that was killed
 */
export const openStage = (config: HubConfig, takeOver: boolean): StageToRelease => {
  const { stage, region } = config;
  const options = { maxAttempts: MAX_ATTEMPTS, ...(region !== undefined && { region }) };
  const ssm = new SSMClient(options);
  return {
    stage,
    edge: config.edge,
    functions: deployedFunctions(config),
    aliases: new Aliases(new LambdaClient(options), config),
    parameters: new ReleaseParameters(ssm, config),
    lock: new ReleaseLock(ssm, config),
    takeOver,
    now: () => new Date(),
    print: (line) => console.log(line),
  };
};
