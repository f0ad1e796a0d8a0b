/** Writes the time from an alert to the request at the broker; undefined for an order of no alert. */
export const alertDelayText = ({
  received_at: received,
  requested_at: requested,
}: {
  readonly received_at?: string | null | undefined;
  readonly requested_at?: string | null | undefined;
}): string | undefined => {
  if (!received || !requested) return undefined;
  const ms = Date.parse(requested) - Date.parse(received);
  return `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 2 })} s from the alert to the broker`;
};
