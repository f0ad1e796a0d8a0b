/** Points all functions of a stage back to the versions before its latest release: `npm run roll-back -- --stage prod`. */
import { parseArgs } from 'node:util';
import { STAGES } from '../config.ts';
import { openStage } from '../release/open-stage.ts';
import { rollBack } from '../release/release.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';

const USAGE = `npm run roll-back -- --stage NAME, where NAME is ${STAGES.map(({ stage }) => stage).join(' or ')}

Points all functions of the stage to the versions before its latest release. It can be repeated.`;

const run = async (): Promise<void> => {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(USAGE);
  const config = STAGES.find(({ stage }) => stage === values.stage);
  if (!config) throw new UsageError(USAGE);
  await rollBack(openStage(config));
};

run().catch((error: unknown) => {
  console.error(explainAws(error));
  process.exitCode = 1;
});
