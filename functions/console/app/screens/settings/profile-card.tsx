import { format } from '../../format.ts';
import { Figure, When } from '../../ui/figures.tsx';
import { Tag } from '../../ui/notice.tsx';
import { type Profile, planName } from './profile.ts';

const Verified = ({ is }: { readonly is: boolean }) =>
  is ? <Tag kind="good">Confirmed</Tag> : <Tag kind="warn">Not confirmed</Tag>;

/** Name, addresses and plan of the user. */
export const ProfileCard = ({ profile }: { readonly profile: Profile }) => {
  const { plan, status, expires_at: expires, deploy_used: used, deploy_limit: limit } = profile.subscription;
  return (
    <section class="card" aria-labelledby="profile-title">
      <h2 id="profile-title">Profile and plan</h2>
      <dl class="figures">
        <Figure label="Name" value={profile.name} />
        <Figure
          label="E-mail"
          value={profile.email}
          hint={
            <>
              <Verified is={profile.email_verified} />
              {!profile.email_verified && <> Enter the code of the mail above to confirm it.</>}{' '}
              <a href="#/email">Change it</a>
            </>
          }
        />
        {profile.ph_number !== null && (
          <Figure label="Phone" value={profile.ph_number} hint={<Verified is={profile.ph_verified} />} />
        )}
        <Figure
          label="Plan"
          value={planName(plan)}
          hint={
            status === 'active' ? (
              expires !== null && (
                <>
                  Until <When at={expires} />
                </>
              )
            ) : (
              <Tag kind="warn">{status === 'expired' ? 'Expired' : 'Cancelled'}</Tag>
            )
          }
        />
        <Figure
          label="Active deployments"
          value={`${format.count(used)} of ${format.count(limit)}`}
          hint={<a href="#/deployments">See them</a>}
        />
        <Figure
          label="Referral code"
          value={<code>{profile.referral_code}</code>}
          hint="Friends enter it when they register."
        />
      </dl>
    </section>
  );
};
