import { lambdaHandler } from '../../shared/api/lambda.ts';
import { consoleOperations } from './operations.ts';

export const handler = lambdaHandler(consoleOperations);
