import { lambdaHandler } from '../../shared/api/lambda.ts';
import { executionOperations } from './operations.ts';

export const handler = lambdaHandler(executionOperations);
