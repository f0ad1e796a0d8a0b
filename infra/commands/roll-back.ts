/** Points all functions of a stage back to the versions before its latest release: `npm run roll-back -- --stage prod`. */
import { parseArgs } from 'node:util';
import { STAGES } from '../config.ts';
import { openStage } from '../release/open-stage.ts';
import { rollBack } from '../release/release.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';

const run = async (): Promise<void> => {
  const { values } = parseArgs({ options: { stage: { type: 'string' } } });
  const config = STAGES.find(({ stage }) => stage === values.stage);
  if (!config) {
    throw new UsageError(
      `npm run roll-back -- --stage NAME, where NAME is ${STAGES.map(({ stage }) => stage).join(' or ')}`,
    );
  }
  await rollBack(openStage(config));
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
