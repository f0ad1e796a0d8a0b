import { Grants } from '../grants.tsx';
import { Password } from '../password.tsx';
import { PushDevices } from '../push-devices.tsx';
import { SecurityEvents } from '../security-events.tsx';
import { Sessions } from '../sessions.tsx';

/** Sessions and all that opens the account. */
export const SignIns = () => (
  <>
    <Sessions />
    <Password />
    <SecurityEvents />
    <Grants />
    <PushDevices />
  </>
);
