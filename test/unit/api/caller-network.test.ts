import { isIPv6 } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { truncatedAddress } from '../../../shared/api/caller-network.ts';

test.each([
  ['198.51.100.7', '198.51.100.0/24'],
  ['10.0.0.0', '10.0.0.0/24'],
  ['::ffff:198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff:ffff:ffff:ffff:ffff', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['2001::7:8', '2001:0:0::/48'],
  ['1:0:2:3:4:5:6:7', '1:0:2::/48'],
  ['::1', '0:0:0::/48'],
  ['::', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
])('the address %s is logged as %s', (address, network) => {
  expect(truncatedAddress(address)).toBe(network);
});

test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '256.1.1.1', 'a@hub.test', '::g', '1.2.3.4/24'])(
  'the text %p is not an address',
  (text) => {
    expect(truncatedAddress(text)).toBeUndefined();
  },
);

test('addresses of one network are logged equally', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.nat(255), (address, host) => {
      expect(truncatedAddress(address.replace(/\d+$/, String(host)))).toBe(truncatedAddress(address));
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const [network = '', length] = (truncatedAddress(address) ?? '').split('/');
      if (network.includes('.')) return;
      expect(length).toBe('48');
      expect(isIPv6(network)).toBe(true);
      expect(truncatedAddress(network)).toBe(`${network}/48`);
    }),
  );
});
