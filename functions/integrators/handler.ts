import { lambdaHandler } from '../../shared/api/lambda.ts';
import { integratorsOperations } from './operations.ts';

export const handler = lambdaHandler(integratorsOperations);
