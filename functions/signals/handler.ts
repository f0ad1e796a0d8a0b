import { lambdaHandler } from '../../shared/api/lambda.ts';
import { signalsOperations } from './operations.ts';

export const handler = lambdaHandler(signalsOperations);
