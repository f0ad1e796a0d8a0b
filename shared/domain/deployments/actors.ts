/** Names of those who command a deployment: its owner, its broker, an operator, or a limit or switch that they set before. */
export const ACTORS = ['user', 'broker', 'operator', 'risk_limit', 'kill_switch', 'engine'] as const;
export type Actor = (typeof ACTORS)[number];
