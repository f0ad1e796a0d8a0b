import { render } from 'preact';
import { applyTheme } from '../theme.ts';
import { ComponentsPage } from './page.tsx';

applyTheme();
const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the components');
render(<ComponentsPage />, root);
