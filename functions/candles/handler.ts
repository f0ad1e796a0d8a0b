import { lambdaHandler } from '../../shared/api/lambda.ts';
import { candlesOperations } from './operations.ts';

export const handler = lambdaHandler(candlesOperations);
