/** Tells the parts of one process of each other's writes. */
export interface Signals {
  /**
   * Calls back at every commit of this process that may have made work; returns how
   * to stop.
   */
  onCommit(wake: () => void): () => void;
  committed(): void;
  /** Calls back at every change of an endpoint in this process; returns how to stop. */
  onEndpointChange(changed: (endpoint_id: string) => void): () => void;
  endpointChanged(endpoint_id: string): void;
}

export function createSignals(): Signals {
  const commits = createListeners<void>();
  const endpoints = createListeners<string>();
  return {
    onCommit: commits.add,
    committed: () => commits.call(),
    onEndpointChange: endpoints.add,
    endpointChanged: endpoints.call,
  };
}

function createListeners<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener: (value: T) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Calls a copy of the list, because a listener may add or remove listeners. */
    call(value: T): void {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
