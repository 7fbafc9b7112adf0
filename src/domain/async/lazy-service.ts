type Method = (...args: never[]) => Promise<unknown>;

/** A service whose methods are all asynchronous. */
type AsyncService<Service> = { readonly [Name in keyof Service]: Method };

/**
 * `await` and `JSON.stringify` ask every object for these. A service that had one
 * would be taken for a promise, or for a text.
 */
const notMethods: ReadonlySet<string> = new Set(["then", "toJSON"]);

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
    get(target, name) {
      // A method that a host's test has replaced comes first.
      if (typeof name === "symbol" || name in target) return Reflect.get(target, name);
      return notMethods.has(name) ? undefined : (methods.get(name) ?? methodOf(name));
    },
  });
}
