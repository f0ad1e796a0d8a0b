/** Message that the service sent and that did not leave this machine. */
export interface Message {
  readonly kind: 'mail' | 'sms' | 'push' | 'analytics';
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Headers that the service sets; of mails only. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Messages {
  readonly add: (message: Omit<Message, 'at'>) => void;
  /** Newest first. */
  readonly list: () => readonly Message[];
}

const KEPT = 200;

const indent = (text: string): string => text.replace(/^/gm, '  | ');

/** Keeps the last messages and prints those that a user waits for. */
export const createMessages = (print: (line: string) => void): Messages => {
  const kept: Message[] = [];
  return {
    add: (message) => {
      kept.unshift({ ...message, at: new Date().toISOString() });
      kept.length = Math.min(kept.length, KEPT);
      if (message.kind === 'analytics') return;
      const subject = message.subject && `: ${message.subject}`;
      print(`${message.kind} to ${message.to}${subject}\n${indent(message.text)}`);
    },
    list: () => [...kept],
  };
};
