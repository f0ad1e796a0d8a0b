import { lambdaHandler } from '../../shared/api/lambda.ts';
import { assistantsOperations } from './operations.ts';

export const handler = lambdaHandler(assistantsOperations);
