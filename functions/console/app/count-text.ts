import { format } from './format.ts';

/** Names a number of things: `1 trade`, `2 trades`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${format.count(count)} ${count === 1 ? one : many}`;
