type Method = (...args: never[]) => Promise<unknown>;

/** A service whose methods are all asynchronous. */
type AsyncService<Service> = { readonly [Name in keyof Service]: Method };

/**
 * Makes a service whose code is loaded at the first call of one of its methods, so
 * that a process that only answers requests never loads it. Every name gives a
 * method, and one that the service does not have rejects.
 */
export function lazyService<Service extends AsyncService<Service>>(
  load: () => Promise<Service>,
): Service {
  let loading: Promise<Service> | undefined;
  const methods = new Map<string, Method>();

  const methodOf = (name: string): Method => {
    const call: Method = async (...args) => {
      loading ??= load();
      const method: unknown = Reflect.get(await loading, name);
      if (typeof method !== "function") throw new TypeError(`There is no method ${name}.`);
      return method(...args);
    };
    methods.set(name, call);
    return call;
  };

  return new Proxy({} as Service, {
    get(_target, name) {
      // `await` asks every object for `then`: with one, the service would look like a promise.
      if (typeof name === "symbol" || name === "then") return undefined;
      return methods.get(name) ?? methodOf(name);
    },
  });
}
