import { lambdaHandler } from '../../shared/api/lambda.ts';
import { accountOperations } from './operations.ts';

export const handler = lambdaHandler(accountOperations);
