import { lambdaHandler } from '../../shared/api/lambda.ts';
import { analyticsOperations } from './operations.ts';

export const handler = lambdaHandler(analyticsOperations);
