import { rotateSecret } from '../local/services/secrets.ts';
import { dataDirOf, explain } from './command-line.ts';
import { readOptions } from './read-options.ts';

const USAGE = `npm run rotate-keys [-- --force]

Makes a new master key for the local service: it signs after 15 minutes, and signatures of the previous key stay valid.
A rotation removes the key before the previous one, and ends the sessions and tokens that it signed. Within 30 days of
the last rotation it is therefore refused.

  --force  rotates all the same`;

const run = (): void => {
  const { values } = readOptions(USAGE, { options: { force: { type: 'boolean', default: false } } });
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
