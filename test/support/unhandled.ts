import { setTimeout as pause } from "node:timers/promises";

/** What would have ended the host's process while `act` ran: rejections that nobody handled. */
export async function unhandledIn(act: () => Promise<unknown>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on("unhandledRejection", note);
  try {
    await act();
    await pause(20);
  } finally {
    process.off("unhandledRejection", note);
  }
  return seen;
}
