/**
 * Lets the process exit while a timer waits. Node would wait for it. Other runtimes
 * give a number, and do not wait.
 */
export function letExit(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer)
    if (typeof timer.unref === "function") timer.unref();
}
