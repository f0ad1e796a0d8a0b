import { randomUUID } from 'node:crypto';
import { configurationSetName } from '../../names.ts';
import { LOCAL } from '../lambda/environment.ts';
import type { ServiceEvent } from './bus.ts';

/** Addresses of SES's mailbox simulator, with any label: `bounce+anything@simulator.amazonses.com`. */
const SIMULATOR = /^(bounce|complaint)(\+[^@]*)?@simulator\.amazonses\.com$/i;

interface SentMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly configurationSet: string | undefined;
  readonly at: Date;
}

const mailOf = ({ messageId, from, to, configurationSet, at }: SentMail) => ({
  timestamp: at.toISOString(),
  source: from,
  messageId,
  destination: [...to],
  tags: { 'ses:configuration-set': [configurationSet] },
});

/**
 * Returns the events that SES puts on the bus for a mail: those of the mailbox simulator's addresses. Only a mail with the
 * configuration set has any.
 */
export const simulatedEvents = (sent: SentMail): ServiceEvent[] => {
  if (sent.configurationSet !== configurationSetName(LOCAL)) return [];
  const timestamp = sent.at.toISOString();
  return sent.to.flatMap((emailAddress): ServiceEvent[] => {
    const kind = SIMULATOR.exec(emailAddress)?.[1]?.toLowerCase();
    if (kind === undefined) return [];
    const feedback = { feedbackId: randomUUID(), timestamp };
    const mail = mailOf(sent);
    return kind === 'bounce'
      ? [
          {
            source: 'aws.ses',
            detailType: 'Email Bounced',
            detail: {
              eventType: 'Bounce',
              mail,
              bounce: {
                ...feedback,
                bounceType: 'Permanent',
                bounceSubType: 'General',
                bouncedRecipients: [{ emailAddress, action: 'failed', status: '5.1.1' }],
              },
            },
          },
        ]
      : [
          {
            source: 'aws.ses',
            detailType: 'Email Complaint Received',
            detail: {
              eventType: 'Complaint',
              mail,
              complaint: {
                ...feedback,
                complainedRecipients: [{ emailAddress }],
                complaintFeedbackType: 'abuse',
              },
            },
          },
        ];
  });
};
