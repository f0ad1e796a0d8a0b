import * as z from 'zod';
import { problemsOf } from '../shared/domain/issue-texts.ts';
import { type Capability, environmentNames, readCapability, readCoreSettings } from '../shared/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting is missing or invalid. Functions would fail at their first request. */
export class BadSettingError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'BadSettingError';
    // Node prints the stack of an error in infra/config.ts, which is thrown while modules load.
    this.stack = `${this.name}: ${problem}`;
  }
}

const problemOf = (error: unknown, names: readonly string[], environment: Environment): string =>
  error instanceof z.ZodError
    ? problemsOf(error, environment).join('\n')
    : `${names.join(', ')}: ${error instanceof Error ? error.message : String(error)}`;

const check = (names: readonly string[], environment: Environment, read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    throw new BadSettingError(problemOf(error, names, environment));
  }
};

/** Checks the settings of these capabilities by the same rules as the functions. @throws BadSettingError */
export const checkCapabilities = (uses: readonly Capability[], environment: Environment): void => {
  const core = new Set(environmentNames([]));
  for (const capability of uses) {
    const names = environmentNames([capability]).filter((name) => !core.has(name));
    check(names, environment, () => readCapability(capability, environment));
  }
};

/** Checks the core settings and those of these capabilities. @throws BadSettingError */
export const checkSettings = (uses: readonly Capability[], environment: Environment): void => {
  check(environmentNames([]), environment, () => readCoreSettings(environment));
  checkCapabilities(uses, environment);
};
