import { lambdaHandler } from '../../shared/api/lambda.ts';
import { killSwitchOperations } from './operations.ts';

export const handler = lambdaHandler(killSwitchOperations);
