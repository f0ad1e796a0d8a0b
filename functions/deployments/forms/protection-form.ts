import * as z from 'zod';
import { UNPROTECTED_CHOICES } from '../../../shared/domain/orders/protection-terms.ts';
import type { ProtectionChoices } from '../accounts/protection-plan.ts';

/** Fields by which the owner of real orders chooses about positions that a broker cannot protect. */
export const protectionForm = {
  fractions: z.enum(['accept']).optional(),
  when_unprotected: z.enum(UNPROTECTED_CHOICES).default('close'),
} as const;

const formSchema = z.object(protectionForm);

/** Returns the choices of a form. */
export const protectionChoices = ({
  fractions,
  when_unprotected,
}: z.output<typeof formSchema>): ProtectionChoices => ({ fractions, unprotected: when_unprotected });
