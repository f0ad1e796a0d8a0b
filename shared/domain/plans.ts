/** The most active deployments of all kinds per plan. */
const DEPLOY_LIMITS = { free: 5, pro: 50, unlimited: 500 } as const;

export type Plan = keyof typeof DEPLOY_LIMITS;

export const PLANS = ['free', 'pro', 'unlimited'] as const satisfies readonly Plan[];

/** Returns the most deployments that may be active at once under a plan. */
export const deployLimit = (plan: Plan): number => DEPLOY_LIMITS[plan];
