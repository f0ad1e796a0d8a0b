/** Loads the engine, while the table is read. */
export const loadEngineView = () => import('./engine-view.ts');
