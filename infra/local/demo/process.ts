import { loadDemoData } from './data.ts';
import { Past } from './past.ts';

const send = (message: object): void => {
  if (!process.send) throw new Error('the demo data is loaded by the service');
  process.send(message);
};

process.on('disconnect', () => process.exit());

try {
  const hasNewHistory = await loadDemoData(new Past(process.env), (step) => send({ step }), {
    history: process.env.HUB_DEMO_HISTORY === 'yes',
    market: process.env.HUB_DEMO_MARKET === 'yes',
  });
  send({ hasNewHistory });
} catch (error) {
  send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
process.disconnect();
