import { lambdaHandler } from '../../shared/api/lambda.ts';
import { docsOperations } from './operations.ts';

export const handler = lambdaHandler(docsOperations);
