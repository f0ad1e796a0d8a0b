export { runSetup } from './run-setup.ts';
export { storedRules } from './stored-rules.ts';
