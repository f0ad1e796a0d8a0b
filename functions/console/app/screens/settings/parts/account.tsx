import { hub } from '../../../hub.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { useResource } from '../../../ui/use-resource.ts';
import { DeleteAccount } from '../delete-account.tsx';
import { profileOf } from '../profile.ts';
import { ProfileCard } from '../profile-card.tsx';

/** Account data, and its deletion. */
export const Account = () => {
  const profile = useResource(async (signal) => profileOf(await hub.verifyUser({}, { signal })), []);
  return (
    <Loaded of={profile}>
      {(loaded) => (
        <>
          <ProfileCard profile={loaded} />
          <DeleteAccount email={loaded.email} />
        </>
      )}
    </Loaded>
  );
};
