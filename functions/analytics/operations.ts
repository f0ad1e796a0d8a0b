import type { Operation } from '../../shared/api/operation.ts';
import { externalAnalysis } from './external-analysis.ts';

/** Analytics forwarding. */
export const analyticsOperations: readonly Operation[] = [externalAnalysis];
