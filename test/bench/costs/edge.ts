import { PRICES } from './prices.ts';

/** Web ACL, its rules, and requests: of CloudFront in Europe and North America, and of AWS WAF. */
const WEB_ACL_MONTH = 5;
const RULE_MONTH = 1;
const RULES = 4;
const REQUEST_MILLION = 1 + 0.6;

/** Returns the sentence on the costs of a distribution with a web ACL. */
export const edgeCosts = (): string =>
  `It costs $${(WEB_ACL_MONTH + RULES * RULE_MONTH + PRICES.secretMonth).toFixed(2)} a month and $${REQUEST_MILLION.toFixed(2)} a million requests.`;
