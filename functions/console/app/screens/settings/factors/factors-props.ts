import type { Factors } from '../../../../../../infra/client/package/src/index.ts';

/** Properties of each part of the second factors. */
export interface FactorsProps {
  readonly factors: Factors;
  /** Shows the factors again after a change. */
  readonly onChange: () => void;
}
