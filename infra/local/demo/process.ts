import { finishDemoData, loadDemoData } from './data.ts';
import { Past } from './past.ts';

const send = (message: object): void => {
  if (!process.send) throw new Error('the demo data is loaded by the service');
  process.send(message);
};

process.on('disconnect', () => process.exit());

const past = new Past(process.env);
const load = (): Promise<boolean> =>
  loadDemoData(past, (step) => send({ step }), {
    history: process.env.HUB_DEMO_HISTORY === 'yes',
    market: process.env.HUB_DEMO_MARKET === 'yes',
  });
try {
  send({ goesOn: await (process.env.HUB_DEMO_STEP === 'finish' ? finishDemoData(past) : load()) });
} catch (error) {
  send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
process.disconnect();
