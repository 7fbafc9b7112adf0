import type { Observer } from "../observer.ts";

type Named<Name extends keyof Observer> = NonNullable<Observer[Name]>;

/**
 * Tells several observers alike; undefined without any. It has only the methods that
 * one of them has, so that what nobody hears of costs nothing. One that throws keeps
 * nothing from the others: its error is thrown once all of them were told.
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

/** Calls every method, and then throws what the first one that failed has thrown. */
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

/** A start that throws does so at the end, because the others need their ends. */
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
