/** Converts a Retry-After header (RFC 9110, section 10.2.3) to milliseconds. */
export const retryAfterMs = (header: string | null | undefined, now: Date): number | undefined => {
  if (header === undefined || header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
};
