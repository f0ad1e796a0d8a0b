import { parseArgs } from 'node:util';
import { rotateSecret } from '../local/services/secrets.ts';
import { dataDirOf, explain } from './command-line.ts';

const run = (): void => {
  const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
  rotateSecret(dataDirOf(process.env), { force: values.force, now: new Date() });
  console.log(
    'There is a new master key. It signs after 15 minutes. Signatures of the previous key stay valid.',
  );
};

try {
  run();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
