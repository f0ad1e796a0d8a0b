import type { GlobalConfig } from 'jest';
import { buildBundles } from './build-bundles.ts';
import { startDatabases } from './start-databases.ts';

const setUp = async (config: GlobalConfig): Promise<void> => {
  await Promise.all([buildBundles(config), startDatabases(config)]);
};

export default setUp;
