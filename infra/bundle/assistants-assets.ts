import { mkdir } from 'node:fs/promises';
import { buildCatalogue } from '../../functions/assistants/catalogue/build-catalogue.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { writeAsset } from './write-asset.ts';

/** Writes the file that the function of assistants reads next to its bundle: its tools, and the reference of rules. */
export const writeAssistantsAssets = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await writeAsset(directory, 'catalogue.json', JSON.stringify(await buildCatalogue(OPERATIONS)));
};
