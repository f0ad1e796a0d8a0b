/** Loads the part that builds what the hub's engine does. Deployments of strategies without rules do not need it. */
export const loadHubRun = () => import('./hub-run.ts');

/** Functions for the deployments of a strategy with rules. */
export type HubRuns = Awaited<ReturnType<typeof loadHubRun>>;
