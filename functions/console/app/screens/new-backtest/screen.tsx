import { NewTest } from '../../backtests/new-test.tsx';
import type { ScreenProps } from '../../router.ts';

/** Form of a new backtest. */
const NewBacktest = ({ query }: ScreenProps) => <NewTest query={query} isSweep={false} />;

export default NewBacktest;
