/** The sign-in and client key of the demo data. Public by nature: they open nothing but data on this machine. */
export const DEMO = {
  email: 'demo@strategy-hub.example',
  password: 'demo-password-1',
  clientKey: 'demo-client-key',
} as const;
