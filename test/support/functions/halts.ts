import { takeThrow as entry } from '../../../functions/halts/take-throw.ts';
import { inRole } from '../roles.ts';

export const takeThrow = inRole('halts', entry);
