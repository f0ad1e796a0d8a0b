import { shownOf } from './shown.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('push', (event) => {
  const { title, body, tag, place } = shownOf(event.data?.text() ?? '');
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: place }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const place: unknown = event.notification.data;
  const address = new URL(`../console#${typeof place === 'string' ? place : '/'}`, self.location.href);
  event.waitUntil(self.clients.openWindow(address));
});
