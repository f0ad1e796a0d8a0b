/** Prints a line of progress to stderr, with the seconds since the start of the program. */
export const progress = (text: string): void => {
  console.error(`${Math.round(process.uptime())} s: ${text}`);
};
