/** Loads the engine, while the table is read. */
export const loadParity = () => import('./parity.ts');
