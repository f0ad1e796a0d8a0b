import { lambdaHandler } from '../../shared/api/lambda.ts';
import { strategiesOperations } from './operations.ts';

export const handler = lambdaHandler(strategiesOperations);
