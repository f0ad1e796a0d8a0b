import { lambdaHandler } from '../../shared/api/lambda.ts';
import { partnersOperations } from './operations.ts';

export const handler = lambdaHandler(partnersOperations);
