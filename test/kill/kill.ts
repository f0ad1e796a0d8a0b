/** Kills the consumers of events in a loop. Run by `npm run test:kill [-- --events 10000 --kills 60]`. */
import { parseArgs } from 'node:util';
import { isUnharmed, killLoop } from './loop.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000' }, kills: { type: 'string', default: '60' } },
});
const killed = await killLoop(Number(values.events), Number(values.kills));
const { undisturbed: _, disturbed: __, failures, ...figures } = killed;
console.table([{ ...figures, seconds: Number(figures.seconds.toFixed(1)) }]);
console.log('Not acknowledged:', failures);
if (isUnharmed(killed)) console.log('The same state as of an undisturbed run.');
else {
  console.error('The state is not that of an undisturbed run.');
  process.exitCode = 1;
}
