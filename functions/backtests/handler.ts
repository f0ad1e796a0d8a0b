import { lambdaHandler } from '../../shared/api/lambda.ts';
import { backtestsOperations } from './operations.ts';

export const handler = lambdaHandler(backtestsOperations);
