import type { IncomingMessage } from 'node:http';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Checks the host, too, as a page of another origin could reach loopback by a name that resolves to it. */
export const isLocal = (request: IncomingMessage): boolean => {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return (address === '::1' || address.startsWith('127.')) && LOOPBACK_HOSTS.has(host);
};
