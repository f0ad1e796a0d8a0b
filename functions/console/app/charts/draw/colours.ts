/** Names of the colours of the page that charts use. */
export type ColourToken =
  | 'text'
  | 'muted'
  | 'line'
  | 'surface'
  | 'gain'
  | 'loss'
  | 'series-1'
  | 'series-2'
  | 'series-3'
  | 'series-4';

/** Returns a colour of the page as charts take it: `rgb(1, 2, 3)`, or with a part of opacity. */
export type Colours = (token: ColourToken, opacity?: number) => string;

/** Reads the colours that hold at an element. The tokens depend on the theme, so the browser must compute them. */
export const coloursAt = (element: HTMLElement): Colours => {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const read = new Map<string, string>();
  const computed = (token: ColourToken): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const tokens: readonly ColourToken[] = [
    'text',
    'muted',
    'line',
    'surface',
    'gain',
    'loss',
    'series-1',
    'series-2',
    'series-3',
    'series-4',
  ];
  for (const token of tokens) read.set(token, computed(token));
  probe.remove();
  return (token, opacity = 1) => {
    const colour = read.get(token) ?? '';
    const [red = '0', green = '0', blue = '0'] = colour.match(/[\d.]+/g) ?? [];
    return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
  };
};
