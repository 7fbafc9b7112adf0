type Method = (...args: never[]) => Promise<unknown>;

/**
 * Makes a service whose code is loaded at the first call of one of its methods, so
 * that a process that only answers requests never loads it.
 */
export function lazyService<Service extends object>(
  names: readonly (keyof Service & string)[],
  load: () => Promise<Service>,
): Service {
  let loading: Promise<Service> | undefined;
  const methodOf = (name: keyof Service & string) => {
    const method = async (...args: never[]): Promise<unknown> => {
      loading ??= load();
      const service = await loading;
      return (service[name] as Method)(...args);
    };
    return [name, method] as const;
  };
  // Object.fromEntries forgets the names, which the parameter holds to the service's own.
  return Object.fromEntries(names.map(methodOf)) as Service;
}
