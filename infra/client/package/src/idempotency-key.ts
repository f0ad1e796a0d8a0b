const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Makes an Idempotency-Key. Pages of plain http addresses other than localhost have no `crypto.randomUUID`. */
export const newIdempotencyKey = (): string => ('randomUUID' in crypto ? crypto.randomUUID() : randomHex());
