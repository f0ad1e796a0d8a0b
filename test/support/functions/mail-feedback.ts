import { takeFeedback as entry } from '../../../functions/mail-feedback/take-feedback.ts';
import { inRole } from '../roles.ts';

export const takeFeedback = inRole('mail-feedback', entry);
