import type { Observer } from "../observe/observer.ts";

type Named<Name extends keyof Observer> = NonNullable<Observer[Name]>;

/**
 * Makes one observer that tells all of these, or gives undefined when there are none.
 * The observer has only the methods that at least one of them has, so that what nobody
 * listens to costs nothing. When one of them throws, the others are still told, and
 * its error is thrown after that.
 */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  const [first, ...others] = observers;
  if (others.length === 0) return first;

  const all = <Name extends keyof Observer>(name: Name): readonly Named<Name>[] =>
    observers.flatMap((observer) => {
      const method = observer[name] as Named<Name> | undefined;
      return method ? [method.bind(observer) as Named<Name>] : [];
    });
  const told = <Name extends "alert" | "session" | "payment" | "cacheLookup" | "storageCall">(
    name: Name,
  ): Pick<Observer, Name> => {
    const methods = all(name) as readonly ((subject: never) => void)[];
    const tell = tellAll(methods);
    return (methods.length === 0 ? {} : { [name]: tell }) as Pick<Observer, Name>;
  };

  const requests = all("request");
  const deliveries = all("delivery");
  const gauges = all("gauges");
  return {
    request: startAll(requests),
    delivery: startAll(deliveries),
    gauges: tellAll(gauges),
    ...told("alert"),
    ...told("session"),
    ...told("payment"),
    ...told("cacheLookup"),
    ...told("storageCall"),
  };
}

type Tell<Subject> = (subject: Subject) => void;

/** Calls every method, and then throws the first error that one of them threw. */
const tellAll =
  <Subject>(methods: readonly Tell<Subject>[]): Tell<Subject> =>
  (subject) => {
    const errors: unknown[] = [];
    for (const method of methods)
      try {
        method(subject);
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  };

/**
 * Calls every start. The end throws the error of a start that failed, because the
 * other observers need their ends to be called.
 */
const startAll =
  <Start, End>(methods: readonly ((start: Start) => Tell<End> | undefined)[]) =>
  (start: Start): Tell<End> =>
    tellAll(methods.flatMap((method) => startOne(method, start) ?? []));

function startOne<Start, End>(
  method: (start: Start) => Tell<End> | undefined,
  start: Start,
): Tell<End> | undefined {
  try {
    return method(start);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
