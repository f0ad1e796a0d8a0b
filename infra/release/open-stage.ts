import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import type { HubConfig } from '../config.ts';
import { deployedFunctions } from '../deployed.ts';
import { Aliases } from './aliases.ts';
import { ReleaseParameters } from './record.ts';
import type { StageToRelease } from './release.ts';

/** Lambda limits its calls for changes to 15 a second for an account. */
const MAX_ATTEMPTS = 8;

/** Connects to the functions of a stage on AWS, with the credentials of the environment. */
export const openStage = (config: HubConfig): StageToRelease => {
  const { stage, region } = config;
  const options = { maxAttempts: MAX_ATTEMPTS, ...(region !== undefined && { region }) };
  return {
    stage,
    functions: deployedFunctions(config),
    aliases: new Aliases(new LambdaClient(options), config),
    parameters: new ReleaseParameters(new SSMClient(options), config),
    now: () => new Date(),
    print: (line) => console.log(line),
  };
};
