import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const APP = fileURLToPath(new URL('../../functions/console/app', import.meta.url));

type Colour = readonly [red: number, green: number, blue: number];
type Scheme = 'light' | 'dark';

const TOKENS = readFileSync(join(APP, 'styles/tokens.css'), 'utf8');

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** Reads a colour as linear light. */
const colourOf = (token: string, scheme: Scheme): Colour => {
  const [, light = '', dark = ''] =
    new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(TOKENS) ?? [];
  const text = scheme === 'light' ? light : dark;
  const digits = text.length === 4 ? text.replaceAll(/(\w)/g, '$1$1') : text;
  const part = (at: number): number => linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255);
  const colour: Colour = [part(1), part(3), part(5)];
  if (colour.some(Number.isNaN)) throw new Error(`there is no colour ${token}`);
  return colour;
};

const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

const contrast = (one: Colour, other: Colour): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** Lightness as people see it, from 0 to 100. */
const lightness = (colour: Colour): number => 116 * Math.cbrt(luminance(colour)) - 16;

/** Linear light as the most common kinds of colour-blind people see it (Machado, Oliveira and Fernandes, 2009). */
const BLINDNESS = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
} as const;

const seenWith = (kind: keyof typeof BLINDNESS, [red, green, blue]: Colour): Colour => {
  const [r, g, b] = BLINDNESS[kind].map(([x, y, z]) => Math.max(0, x * red + y * green + z * blue));
  return [r ?? 0, g ?? 0, b ?? 0];
};

/** Distance in CIELAB; 2 is just noticeable. */
const distance = (one: Colour, other: Colour): number => {
  const lab = ([red, green, blue]: Colour): readonly number[] => {
    const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const second = lab(other);
  return Math.hypot(...lab(one).map((part, index) => part - (second[index] ?? 0)));
};

describe.each(['light', 'dark'] as const)('%s colours', (scheme) => {
  const of = (token: string): Colour => colourOf(token, scheme);

  test('texts have a contrast of at least 4.5 to 1 on every surface', () => {
    const poor = ['text', 'muted', 'accent', 'gain', 'loss', 'warn', 'danger'].flatMap((text) =>
      ['page', 'surface', 'raised', 'sunken']
        .map((surface) => [text, surface, contrast(of(text), of(surface))] as const)
        .filter(([, , ratio]) => ratio < 4.5),
    );
    const tones = [
      ['gain', 'gain-soft'],
      ['loss', 'loss-soft'],
      ['warn', 'warn-soft'],
      ['accent', 'accent-soft'],
      ['on-accent', 'accent'],
      ['on-danger', 'danger'],
    ].flatMap(([text = '', surface = '']) => {
      const ratio = contrast(of(text), of(surface));
      return ratio < 4.5 ? [[text, surface, ratio] as const] : [];
    });
    expect([...poor, ...tones]).toEqual([]);
  });

  test('gains and losses differ in lightness, and in hue for colour-blind people', () => {
    expect(Math.abs(lightness(of('gain')) - lightness(of('loss')))).toBeGreaterThan(15);
    for (const kind of ['deuteranopia', 'protanopia'] as const) {
      expect(distance(seenWith(kind, of('gain')), seenWith(kind, of('loss')))).toBeGreaterThan(30);
    }
  });
});

const sheets = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.css'),
);

test('colours and sizes of texts and spaces are tokens', () => {
  expect(sheets.length).toBeGreaterThan(5);
  const raw = sheets
    .filter((name) => !name.endsWith('tokens.css'))
    .flatMap((name) =>
      readFileSync(join(APP, name), 'utf8')
        .split('\n')
        .filter(
          (line) =>
            /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i.test(line) ||
            // The limits of `clamp` are no sizes of the scale.
            /^\s*(?:font-size|gap|padding|margin)[a-z-]*: (?!clamp)[^;]*\d(?:rem|px)\b/.test(line),
        )
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(raw).toEqual([]);
});
