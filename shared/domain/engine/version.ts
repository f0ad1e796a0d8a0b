/** Version of the engine. Increases when the same rules over the same bars give another result. */
export const ENGINE_VERSION = 1;
