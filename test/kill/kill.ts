/**
 * Kills the consumers of events in a loop, or the engine's workers. Run by
 * `npm run test:kill [-- --events 10000 --kills 60]` or `npm run test:kill -- --bars 10000`.
 */
import { readOptions } from '../../infra/commands/read-options.ts';
import { areBarsUnharmed, killBars } from './bars.ts';
import { isUnharmed, killLoop } from './loop.ts';

const HELP = `npm run test:kill [-- --events 10000] [--kills 60] | [-- --bars 10000]

Kills the consumers of events in a loop, or the engine's workers.`;

const { values } = readOptions(HELP, {
  options: {
    bars: { type: 'string' },
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '60' },
  },
});

const killEvents = async (): Promise<boolean> => {
  const killed = await killLoop(Number(values.events), Number(values.kills));
  const { undisturbed: _, disturbed: __, failures, ...figures } = killed;
  console.table([{ ...figures, seconds: Number(figures.seconds.toFixed(1)) }]);
  console.log('Not acknowledged:', failures);
  return isUnharmed(killed);
};

const killWorkers = async (bars: string): Promise<boolean> => {
  const killed = await killBars(Number(bars), Number(values.kills));
  const { undisturbed: _, disturbed: __, traded: ___, failures, ...figures } = killed;
  console.table([{ ...figures, seconds: Number(figures.seconds.toFixed(1)) }]);
  console.log('Not acknowledged:', failures);
  return areBarsUnharmed(killed);
};

if (await (values.bars === undefined ? killEvents() : killWorkers(values.bars))) {
  console.log('The same state as of an undisturbed run.');
} else {
  console.error('The state is not that of an undisturbed run.');
  process.exitCode = 1;
}
