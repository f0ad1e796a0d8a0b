import { signal } from '@preact/signals';

/** Choice of colours: those of the system, or one of two. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'hub.theme';

const isTheme = (text: string | null): text is Theme =>
  text === 'system' || text === 'light' || text === 'dark';

const stored = localStorage.getItem(KEY);

/** Chosen colours. */
export const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

/** Shows the chosen colours. */
export const applyTheme = (): void => {
  document.documentElement.dataset.theme = theme.value;
};

/** Changes the colours and keeps the choice in this browser. */
export const chooseTheme = (choice: Theme): void => {
  theme.value = choice;
  localStorage.setItem(KEY, choice);
  applyTheme();
};
