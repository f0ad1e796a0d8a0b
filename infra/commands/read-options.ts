import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong options of a command. Nothing was done. */
const WRONG_OPTIONS = 2;

const isWrongOption = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** Prints the help of a command and ends it, if it was asked for. */
export const helpIfAsked = (help: string, args: readonly string[] = process.argv.slice(2)): void => {
  if (!args.some((one) => one === '--help' || one === '-h')) return;
  console.log(help.trimEnd());
  process.exit(0);
};

/** Ends a command whose options are wrong. */
export const endWrongUse = (reason: string): never => {
  console.error(`${reason} See --help.`);
  process.exit(WRONG_OPTIONS);
};

/**
 * Reads the options of a command. Prints its help for `--help` and ends with 0. Ends with 2 for options that it does not
 * have. All commands of package.json read theirs here.
 */
export const readOptions = <const T extends Omit<ParseArgsConfig, 'args' | 'strict'>>(
  help: string,
  config: T,
): ReturnType<typeof parseArgs<T>> => {
  helpIfAsked(help);
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isWrongOption(error)) throw error;
    // Node adds how to write a positional argument that begins with a dash.
    return endWrongUse(`${error.message.split('. ')[0]?.replace(/\.$/, '')}.`);
  }
};
