/** Browsers and programs by a part of their User-Agent, the most specific first. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Postman/, 'Postman'],
  [/^python-|^Python\//, 'Python'],
  [/^(node|undici|axios)\b/, 'Node.js'],
  [/^okhttp\//, 'Android app'],
  [/\bCFNetwork\//, 'Apple app'],
];

/** Systems by a part of the User-Agent. Mobile systems name a desktop one, too, so they come first. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longer texts are not looked at. */
const MAX_LENGTH = 512;

const nameIn = (list: typeof PROGRAMS, text: string): string | undefined =>
  list.find(([part]) => part.test(text))?.[1];

/**
 * Summarises a User-Agent in words of this file, so that no text of the client is stored or shown.
 *
 * @returns undefined if neither the program nor the system is known.
 *
 * @example
 * deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'); // 'Firefox on Linux'
 */
export const deviceName = (userAgent: string | undefined): string | undefined => {
  if (userAgent === undefined || userAgent.length > MAX_LENGTH) return undefined;
  const program = nameIn(PROGRAMS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return program && system ? `${program} on ${system}` : (program ?? system);
};
