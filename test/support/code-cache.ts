import vm from 'node:vm';

declare module 'node:vm' {
  // The types of Node lack it.
  interface SourceTextModule {
    createCachedData(): Buffer;
  }
}

/** Source of a module or a function, and the code that V8 compiled from it. */
interface Compiled {
  readonly source: string;
  readonly cachedData: Buffer;
}

/** Compiled code by file name. */
class CodeCache {
  readonly #known = new Map<string, Compiled>();

  /** Returns the options that spare V8 the compilation; undefined if the source is new. */
  optionsFor(name: string, source: string): Pick<Compiled, 'cachedData'> | undefined {
    const known = this.#known.get(name);
    return known?.source === source ? { cachedData: known.cachedData } : undefined;
  }

  keep(name: string, source: string, cachedData: Buffer | undefined): void {
    if (cachedData) this.#known.set(name, { source, cachedData });
  }
}

/**
 * Lets Jest compile each module once in a worker. Every test file has modules of its own, some thousand. Without
 * the cache V8 would compile them again for each file.
 */
export const keepCompiledCode = (): void => {
  const { SourceTextModule, compileFunction } = vm;
  const modules = new CodeCache();
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(source: string, options: vm.SourceTextModuleOptions = {}) {
      const { identifier = '' } = options;
      const known = modules.optionsFor(identifier, source);
      super(source, { ...options, ...known });
      if (!known) modules.keep(identifier, source, this.createCachedData());
    }
  };
  const functions = new CodeCache();
  vm.compileFunction = (source, params, options = {}) => {
    const { filename = '' } = options;
    const known = functions.optionsFor(filename, source);
    const compiled = compileFunction(source, params, {
      ...options,
      ...(known ?? { produceCachedData: true }),
    });
    if (!known) functions.keep(filename, source, compiled.cachedData);
    return compiled;
  };
};
