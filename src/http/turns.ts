/** A turn of the event loop begins no further request once it has lasted so long. */
const turnMs = 20;

/** A port of Node keeps its process running while it listens, unless it is told not to. */
type Port = MessagePort & { ref?(): void; unref?(): void };

const waiting: (() => void)[] = [];
let isRunning = false;
let since = 0;
let channel: MessageChannel | undefined;

/**
 * Waits until a request may begin. Where the storage works in this process, requests that arrive
 * together would all be worked off in one turn, and no timer and no other connection would have its
 * own meanwhile. So each does its work before the next one begins, and a turn ends after 20 ms. A
 * request that comes alone waits for nothing.
 */
export function awaitTurn(): Promise<void> | undefined {
  if (!isRunning) {
    isRunning = true;
    since = performance.now();
    soon();
    return undefined;
  }

  // Who waits keeps the process running.
  (channel?.port1 as Port | undefined)?.ref?.();
  return new Promise((resolve) => waiting.push(resolve));
}

/** Begins the next request after the work of this one, as far as it goes without waiting. */
function soon(): void {
  channel ??= openChannel();
  channel.port2.postMessage(null);
}

function openChannel(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.onmessage = beginNext;
  (opened.port1 as Port).unref?.();
  return opened;
}

function beginNext(): void {
  if (waiting.length === 0) {
    isRunning = false;
    (channel?.port1 as Port | undefined)?.unref?.();
    return;
  }
  if (performance.now() - since < turnMs) {
    waiting.shift()?.();
    soon();
    return;
  }

  setTimeout(() => {
    since = performance.now();
    waiting.shift()?.();
    soon();
  }, 0);
}
