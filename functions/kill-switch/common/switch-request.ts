import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import {
  reArmSwitch,
  type SwitchCommand,
  type SwitchCondition,
  throwSwitch,
} from '../../../shared/lifecycle/throw-switch.ts';

const MAX_REASON = 300;

/** Declares the body of a request to throw or re-arm a kill switch. */
export const switchRequest = z.object({
  action: z.enum(['throw', 're_arm']),
  reason: readableText({ max: MAX_REASON }),
  flatten: z.boolean().default(false),
});

/** Throws or re-arms a kill switch as requested. */
export const changeSwitch = async (
  call: Call,
  { action, reason: text, flatten }: z.output<typeof switchRequest>,
  command: Omit<SwitchCommand, 'reason'>,
  condition?: SwitchCondition,
) => {
  const asked = { ...command, reason: tidy(text) };
  if (action === 're_arm') return { thrown: false, changed: await reArmSwitch(call, asked, condition) };
  await throwSwitch(call, { ...asked, flatten }, condition);
  call.log.warn('a kill switch was thrown', { subject: command.subject.level, by: command.actor.by });
  return { thrown: true, changed: true };
};
