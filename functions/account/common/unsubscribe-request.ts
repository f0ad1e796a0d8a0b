import * as z from 'zod';
import type { Presented } from '../../../shared/api/operation.ts';
import { LINK_GROUPS } from '../../../shared/domain/deployments/notification-preferences.ts';

/** Query of an unsubscribe link. */
export const unsubscribeQuery = z.object({ token: z.string(), group: z.enum(LINK_GROUPS) });

/** Reads the token, which identifies the caller. */
export const unsubscribeSecret = ({ query }: Presented): string | undefined => query.token;
