import { deliver as entry } from '../../../shared/deliveries/main/deliver-main.ts';
import { inRole } from '../roles.ts';

export const deliver = inRole('deliver-main', entry);
