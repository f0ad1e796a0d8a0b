import type { BacktestOut } from '../../../../infra/client/package/src/index.ts';
import { Notice } from '../ui/notice.tsx';

/** Says that a test ran on candles of the user; nothing for those of the hub. */
export const OwnCandlesNote = ({ of: test }: { readonly of: Pick<BacktestOut, 'candles'> }) =>
  test.candles === 'own' ? (
    <Notice>
      This ran on <a href="#/candles">your candles</a>, not on the hub’s. Only you see it, and a deployment of
      these rules trades on the hub’s candles.
    </Notice>
  ) : null;
