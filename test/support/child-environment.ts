import { fileURLToPath } from 'node:url';

/** Environment of programs that tests start. Their compiled code is kept, so that a later start takes half the time. */
export const CHILD_ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.build/compiled', import.meta.url)),
} as const;
