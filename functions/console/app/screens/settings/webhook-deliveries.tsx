import { useEffect, useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { deliveryText, eventText } from './texts.ts';

const REFRESH_MS = 5_000;

interface DeliveriesProps {
  readonly endpointId: string;
  /** Number of tests that were sent; another one loads the list again. */
  readonly tests: number;
}

/** Last messages to a webhook. */
export const Deliveries = ({ endpointId, tests }: DeliveriesProps) => {
  const own = { user_id: ME, endpoint_id: endpointId };
  const [cursor, setCursor] = useState<string>();
  const list = useResource(
    (signal) => hub.getWebhookDeliveries({ ...own, cursor }, { signal }),
    [endpointId, tests, cursor],
    { everyMs: REFRESH_MS },
  );
  // A test is the newest delivery.
  useEffect(() => setCursor(undefined), [tests]);
  const resend = useAction(async (deliveryId: string) => {
    await hub.resendWebhook({ ...own, delivery_id: deliveryId });
    setCursor(undefined);
    list.reload();
  });
  return (
    <>
      <Problem of={resend.error} />
      <Loaded
        of={list}
        empty={({ deliveries }) =>
          deliveries.length === 0 &&
          (cursor === undefined ? (
            <p>Nothing was sent in the last 30 days. Send a test to try the address.</p>
          ) : (
            <>
              <p>There are no older ones.</p>
              <Button onClick={() => setCursor(undefined)}>Newest</Button>
            </>
          ))
        }
      >
        {({ deliveries, next_cursor: next }) => (
          <>
            <DataTable
              caption="Deliveries, newest first"
              rows={deliveries}
              rowKey={({ delivery_id: id }) => id}
              columns={[
                { head: 'Event', isHead: true, cell: ({ event_type: type }) => eventText(type) },
                { head: 'Created', cell: ({ created_at: at }) => <When at={at} seconds /> },
                {
                  head: 'Outcome',
                  cell: (delivery) => {
                    const { kind, text } = deliveryText(delivery);
                    return <Tag kind={kind}>{text}</Tag>;
                  },
                },
                { head: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
                {
                  head: 'Actions',
                  isCommands: true,
                  cell: ({ delivery_id: id, status, event_type: type }) =>
                    status !== 'pending' && (
                      <Button
                        aria-label={`Send again: ${eventText(type)}`}
                        disabled={resend.isBusy}
                        onClick={() => resend.run(id)}
                      >
                        Send again
                      </Button>
                    ),
                },
              ]}
            />
            {(next !== null || cursor !== undefined) && (
              <nav class="actions" aria-label="Pages of the deliveries">
                {cursor !== undefined && <Button onClick={() => setCursor(undefined)}>Newest</Button>}
                {next !== null && <Button onClick={() => setCursor(next)}>Older</Button>}
              </nav>
            )}
          </>
        )}
      </Loaded>
    </>
  );
};
