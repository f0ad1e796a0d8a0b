/** Kind of tag and word of a severity. */
export const severityText = (
  severity: string,
): { readonly kind: 'info' | 'good' | 'warn' | 'bad'; readonly text: string } => {
  if (severity === 'success') return { kind: 'good', text: 'Good' };
  if (severity === 'warning') return { kind: 'warn', text: 'Warning' };
  return severity === 'error' ? { kind: 'bad', text: 'Problem' } : { kind: 'info', text: 'Info' };
};

const WAYS: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  assistant_connected: { href: '#/settings?part=programs', label: 'See your assistants' },
  deployment_proposed: { href: '#/proposals', label: 'See the proposal' },
  mail_stopped: { href: '#/reset', label: 'Ask for a code' },
  mail_ended: { href: '#/settings?part=notifications', label: 'Choose what is sent' },
  webhook_disabled: { href: '#/settings?part=programs', label: 'See your webhooks' },
  webhook_registered: { href: '#/settings?part=programs', label: 'See your webhooks' },
};

/** Place where the owner can act on a kind of notification; undefined for one without. */
export const wayOf = (kind: string) => WAYS[kind];
