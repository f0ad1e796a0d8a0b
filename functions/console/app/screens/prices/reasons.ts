const STATUS = /^status (\d{3})$/;

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  400: 'The provider does not know this pair.',
  403: 'The provider refuses calls from your network or country.',
  418: 'The provider has banned the address of your network for a time, after too many calls.',
  429: 'The provider limits the calls of your network.',
  451: 'The provider is not available in your country.',
};

/** Says in words why a provider gives no prices. */
export const reasonText = (reason: string): string => {
  const status = STATUS.exec(reason)?.[1];
  const known = status === undefined ? undefined : STATUS_TEXTS[status];
  if (known !== undefined) return known;
  if (status !== undefined) return `The provider answers with an error (${status}).`;
  if (reason.startsWith('no ')) return 'The provider cannot be reached. Is this machine online?';
  return `The provider cannot be used: ${reason}.`;
};
