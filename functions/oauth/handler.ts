import { lambdaHandler } from '../../shared/api/lambda.ts';
import { oauthOperations } from './operations.ts';

export const handler = lambdaHandler(oauthOperations);
