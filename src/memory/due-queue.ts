interface Entry {
  readonly due_at: number;
  readonly key: string;
}

/** A binary heap by time. What was put in stays in until it comes up: whoever takes it out judges whether it still holds. */
export class DueQueue {
  readonly #entries: Entry[] = [];

  push(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent];
      if (!above || above.due_at <= entry.due_at) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  first(): Entry | undefined {
    return this.#entries[0];
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (!last || entries.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child =
        (entries[right]?.due_at ?? Number.POSITIVE_INFINITY) <
        (entries[left]?.due_at ?? Number.POSITIVE_INFINITY)
          ? right
          : left;
      const below = entries[child];
      if (!below || below.due_at >= last.due_at) break;
      entries[at] = below;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}
