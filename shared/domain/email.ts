import { domainToASCII, domainToUnicode } from 'node:url';

/** RFC 5321: octets of a local part, and of a whole address without its brackets. */
const MAX_LOCAL = 64;
export const MAX_EMAIL = 254;

/** A "dot-string" of RFC 5321. Quoted local parts are left out, as providers of mailboxes do. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Text of an internationalised domain. `domainToASCII` would cut other text, such as a path or a port. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Returns the ASCII form of a domain with at least two labels; undefined for other texts. */
const readDomain = (text: string): string | undefined => {
  if (!DOMAIN.test(text)) return undefined;
  const domain = domainToASCII(text);
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label));
  // A label that cannot be decoded stays as it is.
  if (domain.includes('xn--') && /(?:^|\.)xn--/.test(domainToUnicode(domain))) return undefined;
  return isDomain && TOP_LABEL.test(labels.at(-1) ?? '') ? domain : undefined;
};

/**
 * Reads an e-mail address of RFC 5321; undefined for other texts. Surrounding spaces and case do not matter, and an
 * internationalised domain is the same in Unicode and in ASCII. Dots and plus signs of the local part stay, because with most
 * providers they name different mailboxes.
 *
 * @example
 * readEmail(" O'Brien+tag@Bücher.example"); // "o'brien+tag@xn--bcher-kva.example"
 */
export const readEmail = (text: string): string | undefined => {
  // The time to normalise a longer text grows with the square of its length.
  if (text.length > MAX_EMAIL + 2 * MAX_LOCAL) return undefined;
  const address = text.trim().normalize('NFC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  if (local.length > MAX_LOCAL || !LOCAL.test(local)) return undefined;
  const domain = readDomain(address.slice(at + 1));
  if (domain === undefined) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length > MAX_EMAIL ? undefined : email;
};
