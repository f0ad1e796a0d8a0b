import { explain } from '../commands/command-line.ts';
import { NoEmbeddedDatabaseError } from './database/dynamo.ts';
import { startHub } from './hub.ts';

/** Makes the copy of the demo data with which a first start begins: starts the service in memory, and ends it. */
const run = async (): Promise<void> => {
  try {
    const hub = await startHub({ market: true, schedules: false });
    await hub.close();
  } catch (error) {
    if (!(error instanceof NoEmbeddedDatabaseError)) throw error;
    console.log('There is no embedded database here, so no demo data was made.');
  }
};

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
