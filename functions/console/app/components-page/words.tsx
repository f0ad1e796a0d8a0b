import { Button, LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Meter } from '../ui/meter.tsx';
import { Mode } from '../ui/mode.tsx';
import { Notice, Problem, Tag } from '../ui/notice.tsx';
import type { Resource } from '../ui/use-resource.ts';

const KINDS = ['info', 'good', 'warn', 'bad'] as const;

/** Notices and tags of all kinds, modes and meters. */
export const NoticeStates = () => (
  <>
    {KINDS.map((kind) => (
      <Notice key={kind} kind={kind}>
        <strong>A notice, {kind}.</strong> Its sentence says what to do.{' '}
        <a href="/console">And leads there.</a>
      </Notice>
    ))}
    <Problem of={new Error('The connection broke.')} />
    <div class="row">
      {KINDS.map((kind) => (
        <Tag key={kind} kind={kind}>
          Tag, {kind}
        </Tag>
      ))}
      <Mode mode="virtual" />
      <Mode mode="live" />
    </div>
    {[0, 45, 85, 130].map((percent) => (
      <Meter key={percent} percent={percent} />
    ))}
  </>
);

const nothing = (): void => undefined;
const FAILED = new Error('The connection broke.');

const RESOURCES: readonly Resource<string>[] = [
  { isLoading: true, reload: nothing },
  { isLoading: false, error: FAILED, reload: nothing },
  {
    isLoading: false,
    value: 'An older value',
    error: FAILED,
    loadedAt: Date.now() - 90_000,
    reload: nothing,
  },
  { isLoading: false, value: '', reload: nothing },
  { isLoading: false, value: 'A value', reload: nothing },
];

const NOTHING = (
  <Empty
    title="There are no strategies here yet."
    next={
      <>
        <LinkButton href="/console" kind="primary">
          Build a strategy
        </LinkButton>
        <Button>Another step</Button>
      </>
    }
  >
    A strategy says when to buy and when to sell.
  </Empty>
);

/** A value that loads, failed to load, is old, is empty and is there. */
export const LoadedStates = () => (
  <>
    {RESOURCES.map((resource, index) => (
      <Loaded key={index} of={resource} empty={(value) => value === '' && NOTHING}>
        {(value) => <p>{value}</p>}
      </Loaded>
    ))}
  </>
);
