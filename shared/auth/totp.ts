/** Loads the library at its first use, as few requests need it. */
const library = () => import('otplib');

const SECRET_BYTES = 20;
const PERIOD_S = 30;

/** Name of the account in authenticator apps. */
const ISSUER = 'Strategy Hub';

export interface NewSecret {
  /** Base32, to type. */
  readonly secret: string;
  /** `otpauth:` address, for a QR code. */
  readonly uri: string;
}

/** Makes a secret for an authenticator app (RFC 6238). */
export const newTotpSecret = async (random: (bytes: number) => Buffer, email: string): Promise<NewSecret> => {
  const { ScureBase32Plugin, generateURI } = await library();
  const secret = new ScureBase32Plugin().encode(random(SECRET_BYTES));
  return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) };
};

/** Returns the step of a right code, of this period or a neighbour's, after a step that was used; undefined for any other. */
export const totpStep = async (
  secret: string,
  code: string,
  { usedStep, now }: { readonly usedStep: number; readonly now: Date },
): Promise<number | undefined> => {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { verify } = await library();
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, period: PERIOD_S, epochTolerance: PERIOD_S });
  if (!result.valid) return undefined;
  const step = Math.floor(epoch / PERIOD_S) + result.delta;
  return step > usedStep ? step : undefined;
};
