import { ApiKeys } from '../api-keys.tsx';
import { PlatformToken } from '../platform-token.tsx';
import { Webhooks } from '../webhooks.tsx';

/** Access of programs. */
export const Programs = () => (
  <>
    <ApiKeys />
    <PlatformToken />
    <Webhooks />
  </>
);
