import { helpIfAsked } from './read-options.ts';
import { runSteps, type Step } from './run-steps.ts';

const HELP = `npm run check

Generates the typed client, and checks format, lint, types, unused code and imports. Runs all steps, and exits with 1
if one failed.`;

const types = (name: string, ...options: string[]): Step => ({
  name: `types of ${name}`,
  command: ['tsc', '--noEmit', ...options],
});

/** Keeps the memory of a compiler small. */
const SMALL = ['--checkers', '1'];

/** Writes a file that types and unused code need, and that no commit holds. */
const CLIENT: Step = { name: 'typed client', command: ['node', 'infra/client/generate.ts'] };

/** The longest steps are first, as two run at a time. */
const STEPS: readonly Step[] = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  types('the service', ...SMALL),
  types('the tests of the console', ...SMALL, '-p', 'test/console'),
  { name: 'imports', command: ['depcruise', 'functions', 'shared', 'infra'] },
  { name: 'unused code', command: ['knip'] },
  types('the tests in a browser', ...SMALL, '-p', 'test/browser'),
  types('the console', ...SMALL, '-p', 'functions/console/app'),
  types('the service worker', '-p', 'functions/console/worker'),
];

helpIfAsked(HELP);
process.exitCode = (await runSteps(CLIENT, STEPS, console.log)) ? 0 : 1;
