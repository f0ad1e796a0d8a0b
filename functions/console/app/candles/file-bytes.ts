import type { CandleBytes } from '../../../../shared/domain/candle-files/candle-bytes.ts';

const ENCODINGS = { utf8: 'utf-8', utf16le: 'utf-16le' } as const;

/** Reads a file of the user in the browser. It is not sent anywhere. */
export const bytesOf = (file: Blob): CandleBytes => ({
  size: file.size,
  head: async (bytes) => new Uint8Array(await file.slice(0, bytes).arrayBuffer()),
  parts: async function* (encoding) {
    const decoder = new TextDecoder(ENCODINGS[encoding]);
    const reader = file.stream().getReader();
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        yield decoder.decode(part.value, { stream: true });
      }
      yield decoder.decode();
    } finally {
      await reader.cancel();
    }
  },
});
