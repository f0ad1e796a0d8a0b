import type { Asset } from './assets.ts';
import type { Call } from './call.ts';
import { isHeld } from './conditional.ts';
import { RawAnswer } from './operation.ts';

/** Part of a call that the answers depend on. */
export type Asked = Pick<Call, 'headers'>;

/** Answers with an error body exactly as the contract's own stack does. */
export const plainError = (status: number, detail: string): RawAnswer =>
  new RawAnswer(
    status,
    { 'content-type': 'application/json', 'cache-control': 'no-store' },
    JSON.stringify({ detail }),
  );

const acceptsGzip = (header = ''): boolean =>
  header.split(',').some((choice) => {
    const [coding, ...parameters] = choice.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    return (coding === 'gzip' || coding === '*') && !refused;
  });

/** Sends an asset as the client accepts it: 304 if the client has it, gzipped if it can inflate. */
export const sendAsset = async (
  { gzipped, etag, plain }: Asset,
  { headers }: Asked,
  { type, ...extra }: { readonly type: string } & Readonly<Record<string, string>>,
): Promise<RawAnswer> => {
  const common = { 'cache-control': 'no-cache', ...extra, etag, vary: 'accept-encoding' };
  if (isHeld(etag, headers['if-none-match'])) return new RawAnswer(304, common, '');
  return acceptsGzip(headers['accept-encoding'])
    ? new RawAnswer(200, { ...common, 'content-type': type, 'content-encoding': 'gzip' }, gzipped)
    : new RawAnswer(200, { ...common, 'content-type': type }, await plain());
};
