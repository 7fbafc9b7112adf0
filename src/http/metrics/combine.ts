import type { Observer } from "../observer.ts";

/** Tells several observers alike; undefined without any. */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  const [first, ...others] = observers;
  if (others.length === 0) return first;

  return {
    request(start) {
      const ends = observers.map((observer) => observer.request?.(start));
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    delivery(start) {
      const ends = observers.map((observer) => observer.delivery?.(start));
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    alert(alert) {
      for (const observer of observers) observer.alert?.(alert);
    },
  };
}
