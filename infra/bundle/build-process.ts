import { FUNCTIONS } from '../../functions/manifest.ts';
import { bundleFunctions } from './bundle.ts';
import { outlineOf } from './outline.ts';

const send = (message: object): void => {
  if (!process.send) throw new Error('this program is started by the local service');
  process.send(message);
};

process.on('disconnect', () => process.exit());

try {
  const bundles = await bundleFunctions();
  send({ built: { functions: FUNCTIONS.map(outlineOf), bundles: [...bundles] } });
} catch (error) {
  send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
process.disconnect();
