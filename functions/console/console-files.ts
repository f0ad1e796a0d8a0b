import * as z from 'zod';

/** Name of the list of the console's files. The build writes it next to them. */
export const FILE_LIST = 'files.json';

/** Service worker that shows push messages. Its name is fixed, as browsers look for newer versions of it there. */
export const WORKER_FILE = 'worker.js';

/** Files of the console, and the script files that each of them loads at once. */
export const fileListSchema = z.object({
  /** Names of all files but the page and the worker. Each holds a hash of its content. */
  files: z.array(z.string()),
});

/** Media types of the console's files by the ends of their names. */
export const CONSOLE_TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
]);
