/** A process that serves a test mode can run for months: it forgets the oldest payments. */
const maxRemembered = 10_000;

type SandboxMemory = Pick<Set<string>, "size" | "delete"> & { keys(): Iterable<string> };

export function forgetOldest(memory: SandboxMemory): void {
  const [oldest] = memory.keys();
  if (memory.size > maxRemembered && oldest !== undefined) memory.delete(oldest);
}
