import { lambdaHandler } from '../../shared/api/lambda.ts';
import { userAccessOperations } from './operations.ts';

export const handler = lambdaHandler(userAccessOperations);
