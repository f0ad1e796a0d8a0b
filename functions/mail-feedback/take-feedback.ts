import * as z from 'zod';
import { momentInput } from '../../shared/domain/time-inputs.ts';
import { stopMail } from '../../shared/lifecycle/stop-mail.ts';
import type { Runtime } from '../../shared/runtime.ts';

const recipients = z.array(z.object({ emailAddress: z.string().min(1) }));
const mail = z.object({ timestamp: momentInput });

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({
    'detail-type': z.literal('Email Bounced'),
    detail: z.object({ mail, bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients }) }),
  }),
  z.object({
    'detail-type': z.literal('Email Complaint Received'),
    detail: z.object({
      mail,
      complaint: z.object({
        complainedRecipients: recipients,
        complaintFeedbackType: z.string().nullish(),
      }),
    }),
  }),
]);

type Event = z.output<typeof eventSchema>;

/** Returns the addresses to which mail stops, with the reason. A bounce that may pass stops nothing. */
const stopsOf = (event: Event) => {
  if (event['detail-type'] === 'Email Bounced') {
    const { bounceType, bouncedRecipients } = event.detail.bounce;
    return { reason: 'bounce' as const, recipients: bounceType === 'Permanent' ? bouncedRecipients : [] };
  }
  const { complaintFeedbackType, complainedRecipients } = event.detail.complaint;
  const isComplaint = complaintFeedbackType !== 'not-spam';
  return { reason: 'complaint' as const, recipients: isComplaint ? complainedRecipients : [] };
};

/** Returns the bare address of a recipient, which may come as `Name <address>`. */
const addressIn = (recipient: string): string => /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient;

/** Takes a report of SES: after a permanent bounce or a complaint, no more mail goes to the address. */
export const takeFeedback = async (runtime: Runtime, raw: unknown): Promise<void> => {
  const event = eventSchema.parse(raw);
  const sentAt = new Date(event.detail.mail.timestamp);
  const { reason, recipients: all } = stopsOf(event);
  for (const { emailAddress } of all) {
    const stopped = await stopMail(runtime, addressIn(emailAddress), { reason, sentAt });
    runtime.log.info('mail feedback', { reason, stopped });
  }
};
