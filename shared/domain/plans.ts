/** What a subscription plan allows: active deployments of all kinds together. */
const DEPLOY_LIMITS = { free: 5, pro: 50, unlimited: 500 } as const;

export type Plan = keyof typeof DEPLOY_LIMITS;

export const PLANS = ['free', 'pro', 'unlimited'] as const satisfies readonly Plan[];

/** How many deployments may be active at once under a plan. */
export const deployLimit = (plan: Plan): number => DEPLOY_LIMITS[plan];
