export { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
export { runAtOnce } from './run-at-once.ts';
