import { NewTest } from '../../backtests/new-test.tsx';
import type { ScreenProps } from '../../router.ts';

/** Form of a new sweep. */
const NewSweep = ({ query }: ScreenProps) => <NewTest query={query} isSweep={true} />;

export default NewSweep;
