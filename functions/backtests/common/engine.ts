export { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
export { runSetup } from './run-setup.ts';
