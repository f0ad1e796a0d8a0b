import { countText } from '../../count-text.ts';
import { hub, ME } from '../../hub.ts';
import { NoteGroups } from '../../notifications/note-groups.tsx';
import { navigate, type ScreenProps } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { useSearch } from '../../ui/use-search.ts';
import { reloadUnread } from '../../unread.ts';
import { addressOf, isFiltered, KINDS, type NotificationsView, requestOf, viewOf } from './view.ts';

const REFRESH_MS = 30_000;

const KIND_OPTIONS = [
  { value: '', label: 'All kinds' },
  ...KINDS.map(([value, label]) => ({ value, label })),
];

const show = (view: NotificationsView): void => navigate(addressOf(view), { replace: true });

const Filters = ({ view }: { readonly view: NotificationsView }) => {
  const first = { ...view, page: 1, cursor: undefined };
  const { typed, setTyped } = useSearch(view.symbol, (symbol) => show({ ...first, symbol }));
  return (
    <div class="toolbar">
      <Field label="Kind">
        <Select value={view.kind} options={KIND_OPTIONS} onValue={(kind) => show({ ...first, kind })} />
      </Field>
      <Field label="Symbol">
        <TextInput type="search" value={typed} onValue={setTyped} maxLength={30} spellcheck={false} />
      </Field>
      <Checkbox checked={view.isUnread} onChecked={(isUnread) => show({ ...first, isUnread })}>
        Unread only
      </Checkbox>
      {view.deploymentId !== undefined && (
        <LinkButton href={`#${addressOf({ ...first, deploymentId: undefined })}`}>All deployments</LinkButton>
      )}
    </div>
  );
};

const Nothing = ({ view }: { readonly view: NotificationsView }) =>
  isFiltered(view) ? (
    <Empty
      title="No notification matches."
      next={<LinkButton href="#/notifications">See all notifications</LinkButton>}
    />
  ) : (
    <Empty
      title="Nothing has happened yet."
      next={
        <LinkButton href="#/explore" kind="primary">
          Find a strategy
        </LinkButton>
      }
    >
      Deploy a strategy, and its signals and trades are reported here.
    </Empty>
  );

/** Notifications about the user's deployments. */
const Notifications = ({ query }: ScreenProps) => {
  const view = viewOf(query);
  const list = useResource(
    (signal) => hub.getDeploymentNotifications({ user_id: ME, ...requestOf(view) }, { signal }),
    [requestOf(view)],
    { everyMs: REFRESH_MS, on: () => true },
  );
  const read = useAction(async () => {
    await hub.readDeploymentNotifications({ user_id: ME });
    list.reload();
    reloadUnread();
  });
  return (
    <Screen
      title="Notifications"
      lead="Signals, trades and problems of your deployments, in the order in which they arrived."
      actions={
        <>
          <Button busy={read.isBusy} onClick={read.run}>
            Mark all as read
          </Button>
          <LinkButton href="#/settings?part=notifications">Choose what is sent</LinkButton>
        </>
      }
    >
      <Problem of={read.error} />
      <Filters view={view} />
      <Loaded
        of={list}
        empty={({ total, next_cursor: next }) => total === 0 && next === undefined && <Nothing view={view} />}
      >
        {({ items, page, pages, total, next_cursor: next }) => (
          <>
            <p role="status">
              {countText(total, 'notification')}
              {next !== undefined && ' in this part of the list'}
            </p>
            <NoteGroups notes={items} />
            <Pager page={page} pages={pages} onPage={(to) => show({ ...view, page: to })} />
            {next !== undefined && page >= pages && (
              <LinkButton href={`#${addressOf({ ...view, page: 1, cursor: next })}`}>
                Look further back
              </LinkButton>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
};

export default Notifications;
