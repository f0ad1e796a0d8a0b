import { takeRequest as entry } from '../../../shared/execution/take-request.ts';
import { inRole } from '../roles.ts';

export const takeRequest = inRole('broker-orders', entry);
