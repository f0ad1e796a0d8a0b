import { render } from 'preact';
import { startRouter } from './router.ts';
import { ROUTES } from './routes.ts';
import { followOtherTabs } from './session-cookies.ts';
import { applyTheme } from './theme.ts';
import { Frame } from './ui/frame.tsx';
import { followUnread } from './unread.ts';

applyTheme();
startRouter(ROUTES);
followOtherTabs();
followUnread();
const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the console');
render(<Frame />, root);
// Later than the first screen, which does not need it.
void import('./updates.ts').then(({ startUpdates }) => startUpdates());
