import { lambdaHandler } from '../../shared/api/lambda.ts';
import { eventsOperations } from './operations.ts';

export const handler = lambdaHandler(eventsOperations);
