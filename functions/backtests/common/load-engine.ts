/** Loads the engine, which most requests do not need. Those that do read the table meanwhile. */
export const loadEngine = () => import('./engine.ts');
