import type { Observer } from "../observer.ts";

type Named<Name extends keyof Observer> = NonNullable<Observer[Name]>;

/**
 * Tells several observers alike; undefined without any. It has only the methods that
 * one of them has, so that what nobody hears of costs nothing.
 */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  const [first, ...others] = observers;
  if (others.length === 0) return first;

  const all = <Name extends keyof Observer>(name: Name): readonly Named<Name>[] =>
    observers.flatMap((observer) => {
      const method = observer[name] as Named<Name> | undefined;
      return method ? [method.bind(observer) as Named<Name>] : [];
    });
  const told = <Name extends "alert" | "session" | "payment" | "cacheLook" | "storageCall">(
    name: Name,
  ): Pick<Observer, Name> => {
    const methods = all(name) as readonly ((subject: never) => void)[];
    const tell = (subject: never): void => {
      for (const method of methods) method(subject);
    };
    return (methods.length === 0 ? {} : { [name]: tell }) as Pick<Observer, Name>;
  };

  const requests = all("request");
  const deliveries = all("delivery");
  const gauges = all("gauges");
  return {
    request(start) {
      const ends = requests.map((request) => request(start));
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    delivery(start) {
      const ends = deliveries.map((delivery) => delivery(start));
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    gauges(read) {
      for (const take of gauges) take(read);
    },
    ...told("alert"),
    ...told("session"),
    ...told("payment"),
    ...told("cacheLook"),
    ...told("storageCall"),
  };
}
