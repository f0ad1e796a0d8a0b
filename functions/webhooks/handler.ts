import { lambdaHandler } from '../../shared/api/lambda.ts';
import { webhooksOperations } from './operations.ts';

export const handler = lambdaHandler(webhooksOperations);
