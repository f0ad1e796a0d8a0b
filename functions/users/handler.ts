import { lambdaHandler } from '../../shared/api/lambda.ts';
import { usersOperations } from './operations.ts';

export const handler = lambdaHandler(usersOperations);
