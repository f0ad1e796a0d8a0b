import { fileURLToPath } from 'node:url';

/** Folder of the screenshots and of the service's output. */
export const OUTPUT = fileURLToPath(new URL('../../../.build/console', import.meta.url));
