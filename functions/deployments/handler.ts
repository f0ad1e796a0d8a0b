import { lambdaHandler } from '../../shared/api/lambda.ts';
import { deploymentsOperations } from './operations.ts';

export const handler = lambdaHandler(deploymentsOperations);
