import { hub, ME } from '../../hub.ts';
import { NoteGroups } from '../../notifications/note-groups.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';

const SIZE = 12;

/** Newest notifications. */
export const Newest = () => {
  const list = useResource(
    (signal) => hub.getDeploymentNotifications({ user_id: ME, size: SIZE }, { signal }),
    [],
    { on: () => true },
  );
  return (
    <section class="stack" aria-labelledby="newest">
      <div class="row row-apart">
        <h2 id="newest">What happened last</h2>
        <LinkButton href="#/notifications">All notifications</LinkButton>
      </div>
      <Loaded of={list} empty={({ total }) => total === 0 && <p>Nothing has happened yet.</p>}>
        {({ items }) => <NoteGroups notes={items} />}
      </Loaded>
    </section>
  );
};
