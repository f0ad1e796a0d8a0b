/** Points all functions of a stage back to the versions before its latest release: `npm run roll-back -- --stage prod`. */

import { STAGES } from '../config.ts';
import { openStage } from '../release/open-stage.ts';
import { rollBack } from '../release/release.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run roll-back -- --stage NAME [--take-over], where NAME is ${STAGES.map(({ stage }) => stage).join(' or ')}

Points all functions of the stage to the versions before its latest release. It can be repeated.
Refused while a release or another roll-back of the stage runs. --take-over goes on in the place of one that was killed.`;

const run = async (): Promise<void> => {
  const { values } = readOptions(USAGE, {
    options: {
      stage: { type: 'string' },
      'take-over': { type: 'boolean', default: false },
    },
  });
  const config = STAGES.find(({ stage }) => stage === values.stage);
  if (!config) throw new UsageError(USAGE);
  await rollBack(openStage(config, values['take-over']));
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
