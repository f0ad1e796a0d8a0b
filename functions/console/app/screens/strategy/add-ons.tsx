import { hub, ME } from '../../hub.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Tag } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Section } from './section.tsx';

/** Lists further uses of a strategy, with the reason for each that is not open. */
export const AddOns = ({ strategyId }: { readonly strategyId: number }) => {
  const addOns = useResource(
    (signal) => hub.getStrategyAddOns({ user_id: ME, strategy_id: String(strategyId) }, { signal }),
    [strategyId],
  );
  return (
    <Section title="Add-ons">
      <Loaded of={addOns}>
        {({ add_ons }) => (
          <ul class="add-ons">
            {add_ons.map(({ add_on_id: id, name, description, enabled, available, reason }) => (
              <li key={id} class="row">
                <strong>{name}</strong>
                {enabled && <Tag kind="good">On</Tag>}
                {!enabled && available && <Tag>Available</Tag>}
                {!available && <Tag kind="warn">Not available</Tag>}
                <span class="muted">
                  {description}.{reason === null ? '' : ` ${reason}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
};
