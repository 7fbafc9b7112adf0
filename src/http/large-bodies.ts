import { timeBox } from "../domain/async/time-box.ts";

/** A body of more bytes than these counts as a large one. */
const largeBytes = 65_536;
/** The most large bodies that are held at once: with their messages they are 64 MiB. */
const mostAtOnce = 64;

/** A body was not read to its end: it came too slowly, or too many are held at once. */
export class BodyRefused extends Error {
  readonly reason: "too_slow" | "too_many";

  constructor(reason: "too_slow" | "too_many") {
    super(`A body was not read: ${reason}.`);
    this.reason = reason;
  }
}

/** Waits for a part of a body. Throws `BodyRefused` when the body breaks its bounds. */
type Watch = <Part>(part: Promise<Part>, bytes: number) => Promise<Part>;

/** Bounds the memory that bodies of strangers take, before anything of them is checked. */
export interface LargeBodies {
  /**
   * Runs work that reads one body, and has ended with it. A part that is waited for after so many
   * ms, from the beginning, comes too late.
   */
  hold<T>(withinMs: number, work: (watch: Watch) => Promise<T>): Promise<T>;
}

export function createLargeBodies(): LargeBodies {
  let held = 0;

  return {
    async hold(withinMs, work) {
      const ends = performance.now() + withinMs;
      let isHeld = false;

      const watch: Watch = (part, bytes) => {
        if (bytes > largeBytes && !isHeld) {
          if (held >= mostAtOnce) return Promise.reject(new BodyRefused("too_many"));
          held += 1;
          isHeld = true;
        }
        return timeBox(part, Math.max(0, ends - performance.now()), refuseSlow);
      };

      try {
        return await work(watch);
      } finally {
        if (isHeld) held -= 1;
      }
    },
  };
}

function refuseSlow(): never {
  throw new BodyRefused("too_slow");
}
