/** Notification of the browser. */
export interface Shown {
  readonly title: string;
  readonly body: string;
  /** A message with the same tag replaces the one before. */
  readonly tag: string;
  /** Place of the console that a click opens, behind `#`. */
  readonly place: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const textIn = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the place of what a message is about: its deployment, or the list of notifications. */
export const placeOf = (data: unknown): string => {
  const { deployment_id: id } = fieldsIn(data);
  return typeof id === 'string' && /^\d{1,16}$/.test(id) ? `/deployments/${id}` : '/notifications';
};

/** Reads a push message. A message must show something, so one that cannot be read is shown without its text. */
export const shownOf = (message: string): Shown => {
  const { title, body, tag, data } = fieldsIn(parsed(message));
  return {
    title: textIn(title, 'Strategy Hub'),
    body: textIn(body, 'There is a new notification.'),
    tag: textIn(tag, 'notification'),
    place: placeOf(data),
  };
};
