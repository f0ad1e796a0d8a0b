import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflate } from '@sparticuz/chromium';

const run = promisify(execFile);

/** Places where systems install a Chromium. */
const SYSTEM_PLACES = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const FOLDER = fileURLToPath(new URL('../../../.build/chromium', import.meta.url));
const PACKED = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')));
const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];

/** Keeps Chromium from calling any host by itself, and from features that need a desktop. */
export const CHROMIUM_ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-gpu',
  '--no-pings',
  '--no-first-run',
  '--metrics-recording-only',
  // Names of other hosts are never looked up, so a request to one fails and is reported.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** A program to start and its environment. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Throws the linker's message if a library is missing. */
const tryToRun = async ({ executablePath, env }: Chromium): Promise<void> => {
  await run(executablePath, ['--version'], { env: { ...process.env, ...env }, timeout: 30_000 });
};

const fontsFor = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;

/** Unpacks the Chromium of the npm package once, so that a run that was ended leaves no half of it. */
const unpack = async (): Promise<void> => {
  if (existsSync(FOLDER)) return;
  const unfinished = `${FOLDER}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  // The package unpacks to the folder of temporary files, which other users of the machine could have filled.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = unfinished;
  try {
    await Promise.all(ARCHIVES.map((name) => inflate(join(PACKED, name))));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  await writeFile(join(unfinished, 'fonts.conf'), fontsFor(FOLDER));
  await rename(unfinished, FOLDER).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true });
    // Another run was faster.
    if (!existsSync(FOLDER)) throw error;
  });
};

const packedChromium = async (): Promise<Chromium> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium was found. Install Chrome, or set CHROME_PATH to the path of a Chromium.');
  }
  await unpack();
  const executablePath = join(FOLDER, 'chromium');
  const env = { FONTCONFIG_FILE: join(FOLDER, 'fonts.conf') };
  const onSystem = { executablePath, env };
  const withLibraries = { executablePath, env: { ...env, LD_LIBRARY_PATH: join(FOLDER, 'al2023', 'lib') } };
  return tryToRun(onSystem).then(
    () => onSystem,
    async () => {
      await tryToRun(withLibraries);
      return withLibraries;
    },
  );
};

/**
 * Returns the Chromium to test with: that of CHROME_PATH, one of the system, or the one of an npm package. The package's
 * libraries are used where the system has none.
 */
export const findChromium = async (environment: NodeJS.ProcessEnv): Promise<Chromium> => {
  const { CHROME_PATH } = environment;
  const executablePath = CHROME_PATH || SYSTEM_PLACES.find((place) => existsSync(place));
  return executablePath ? { executablePath, env: {} } : packedChromium();
};
