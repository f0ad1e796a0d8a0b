import { useState } from 'preact/hooks';
import type { Proposal } from '../../../../../infra/client/package/src/index.ts';
import { ProtectionPreview } from '../../deploy/protection.tsx';
import { hub, ME } from '../../hub.ts';
import { navigate } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Confirm, Dialog, useConfirmed } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Money, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useOnce } from '../../ui/use-once.ts';
import { useResource } from '../../ui/use-resource.ts';
import { confirmingBody, termLines } from './terms.ts';

const REFRESH_MS = 30_000;

/** Protection of a deployment without an account of the hub: its broker's engine decides. */
const NO_PREVIEW = { can_deploy: true, refusals: [], symbols: [], sentences: [] };

const Terms = ({ of: { terms } }: { readonly of: Proposal }) => (
  <ul>
    <li>
      Capital: <Money value={Number(terms.starting_capital)} currency={terms.currency} />
    </li>
    {termLines(terms).map(({ label, value }) => (
      <li key={label}>
        {label}: {value}
      </li>
    ))}
  </ul>
);

/** Shows what a proposal will do, and deploys it. */
const Review = ({ of: proposal }: { readonly of: Proposal }) => {
  const [hasAgreed, setAgreed] = useState(false);
  const { terms, strategy_id, strategy_name } = proposal;
  const { account_id, currency, symbols, when_unprotected, fractions } = terms;
  const preview = useResource(
    async (signal) =>
      account_id === undefined
        ? NO_PREVIEW
        : hub.previewDeployment(
            { user_id: ME, strategy_id, account_id, currency, symbols, when_unprotected, fractions },
            { signal },
          ),
    [proposal.proposal_id],
  );
  const once = useOnce();
  const confirm = useAction(async () => {
    const input = { keygen: `strategy:${strategy_id}`, body: confirmingBody(proposal) };
    const { deployment_id } = await once(input, (options) => hub.deployLiveStrategy(input, options));
    navigate(`/deployments/${deployment_id}`);
  });
  const isRefused = preview.value?.can_deploy !== true;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (hasAgreed && !isRefused) void confirm.run();
      }}
    >
      <Notice kind="bad">
        <p>
          <strong>This trades with real money.</strong>
        </p>
        <p>
          “{strategy_name}” will buy and sell by itself, by the rules that it has now. Orders leave without
          asking you. You can lose all of it.
        </p>
      </Notice>
      <Terms of={proposal} />
      <p>
        <a href={`#/strategies/${strategy_id}`}>Look at the strategy and its tests first</a>
      </p>
      <ProtectionPreview of={preview} />
      <Checkbox checked={hasAgreed} onChecked={setAgreed}>
        I have read this, and I want it to trade with real money
      </Checkbox>
      <Problem of={confirm.error} />
      <div class="actions dialog-actions">
        <Button submit kind="danger" busy={confirm.isBusy} disabled={!hasAgreed || isRefused}>
          Trade with real money
        </Button>
      </div>
    </form>
  );
};

interface CardProps {
  readonly of: Proposal;
  readonly onReview: () => void;
  readonly onDecline: () => void;
}

const Card = ({ of: proposal, onReview, onDecline }: CardProps) => {
  const { strategy_id, strategy_name, proposed_by, reason, expires_at } = proposal;
  return (
    <section class="card stack" aria-label={`Proposal for ${strategy_name}`}>
      <h2>
        <a href={`#/strategies/${strategy_id}`}>{strategy_name}</a>
      </h2>
      <p>
        Proposed by {proposed_by === null ? 'a session of yours' : <q>{proposed_by}</q>}. It ends by itself{' '}
        <When at={expires_at} />.
      </p>
      {reason !== null && (
        <figure class="stack">
          <figcaption>Its reason, which nobody has checked:</figcaption>
          <blockquote>{reason}</blockquote>
        </figure>
      )}
      <Terms of={proposal} />
      <div class="actions">
        <Button kind="primary" onClick={onReview} aria-label={`Review the proposal for ${strategy_name}…`}>
          Review…
        </Button>
        <Button onClick={onDecline} aria-label={`Decline the proposal for ${strategy_name}…`}>
          Decline…
        </Button>
      </div>
    </section>
  );
};

/** Deployments with real money that programs of the user propose. */
const Proposals = () => {
  const proposals = useResource((signal) => hub.getProposals({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
  });
  const [reviewed, setReviewed] = useState<Proposal>();
  const decline = useConfirmed(async ({ proposal_id }: Proposal) => {
    await hub.declineProposal({ user_id: ME, proposal_id });
    proposals.reload();
  });
  return (
    <Screen
      title="Proposals"
      section="deployments"
      lead="Deployments with real money that your assistants and programs propose. Nothing trades before you confirm it."
    >
      <Loaded
        of={proposals}
        empty={({ proposals: all }) =>
          all.length === 0 && (
            <Empty
              title="Nothing waits for you."
              next={<LinkButton href="#/settings?part=programs">Connect an assistant</LinkButton>}
            >
              What an assistant or a program with the scope “Trade on paper” proposes waits here for a day.
            </Empty>
          )
        }
      >
        {({ proposals: all }) =>
          all.map((one) => (
            <Card
              key={one.proposal_id}
              of={one}
              onReview={() => setReviewed(one)}
              onDecline={() => decline.ask(one)}
            />
          ))
        }
      </Loaded>
      <Dialog
        title="Confirm the proposal"
        open={reviewed !== undefined}
        onClose={() => setReviewed(undefined)}
      >
        {reviewed && <Review of={reviewed} />}
      </Dialog>
      <Confirm title="Decline the proposal?" action="Decline" danger={false} {...decline.dialog}>
        <p>It ends at once. Its program may propose another one.</p>
      </Confirm>
    </Screen>
  );
};

export default Proposals;
