import { expect, test } from '@jest/globals';
import { approve, createBroker, linkAccount, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnish, login } from '../../support/people.ts';

const hub = await openHub(furnish);

test('the brokers of a user are in the order in which they were linked, with any names', async () => {
  const names = ['Mike', 'Zulu', 'Alpha', 'Bravo', 'Yankee'];
  const [first = '', ...others] = names;
  const { body: home } = await createBroker(hub, { broker_name: first });
  const { body: person } = await registerAtBroker(hub, home.subdomain);
  for (const name of others) {
    hub.advance(1000);
    const { body: made } = await createBroker(hub, { broker_name: name });
    await approve(hub, made);
    const linked = await linkAccount(hub, person.email, made.subdomain, await tokenOf(hub, made, name));
    expect(linked.status).toBe(200);
  }
  const { body } = await login(hub, person.email);
  expect(body.brokers.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(body.broker_id).toBe(home.broker_id);
});
