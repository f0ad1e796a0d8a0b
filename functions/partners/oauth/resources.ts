/** Path of the server of assistants. */
const MCP_PATH = '/mcp';

/** Returns the addresses for which the service issues access tokens to assistants: itself, and its server of assistants. */
export const resourcesOf = (publicUrl: string): readonly [whole: string, mcp: string] => [
  publicUrl,
  `${publicUrl}${MCP_PATH}`,
];

/** Reads the address that a token is asked for; that of the server of assistants without one. */
export const readResource = (publicUrl: string, text: string | undefined): string | undefined => {
  const [whole, mcp] = resourcesOf(publicUrl);
  if (text === undefined) return mcp;
  // Programs that read an address of a host alone write its path.
  return [whole, mcp].find((one) => one === text || `${whole}/` === text);
};
