import { createBaseRuntime } from '../../shared/runtime.ts';
import { createAuthorize, type Verdict } from './authorize.ts';

let authorize: ((event: unknown) => Promise<Verdict>) | undefined;

export const handler = (event: unknown): Promise<Verdict> => {
  authorize ??= createAuthorize(createBaseRuntime(process.env));
  return authorize(event);
};
