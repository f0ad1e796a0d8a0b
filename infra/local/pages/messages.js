// Shows the page again once there is a new message.

document.documentElement.dataset.theme = localStorage.getItem('hub.theme') ?? 'system';

const shown = document.querySelector('time')?.dateTime;

const look = async () => {
  if (document.hidden) return;
  const response = await fetch('messages.json');
  if (!response.ok) return;
  const { items } = await response.json();
  if (items[0]?.at !== shown) location.reload();
};

// The service may have ended: the next look tries again.
setInterval(() => look().catch(() => undefined), 3_000);
