/** A body of more bytes than these counts as a large one. */
const largeBytes = 65_536;
/** So many large bodies are held at once: together with their messages they are 64 MiB. */
const mostAtOnce = 64;

/** Bounds the memory that bodies of strangers take, before anything of them is checked. */
export interface LargeBodies {
  /** Runs work that reads one body, asks `admit` about its size, and has ended with it. */
  hold<T>(work: (admit: (bytes: number) => boolean) => Promise<T>): Promise<T>;
}

export function createLargeBodies(): LargeBodies {
  let held = 0;

  return {
    async hold(work) {
      let isHeld = false;
      const admit = (bytes: number): boolean => {
        if (isHeld || bytes <= largeBytes) return true;
        if (held >= mostAtOnce) return false;
        held += 1;
        isHeld = true;
        return true;
      };

      try {
        return await work(admit);
      } finally {
        if (isHeld) held -= 1;
      }
    },
  };
}
