interface Entry {
  readonly due_at: number;
  readonly key: string;
}

/**
 * A binary heap of deliveries by the time at which they are due. A change of a delivery leaves its
 * old entry in the heap, so whoever takes an entry out checks that the delivery is still due then.
 */
export class DueQueue {
  readonly #entries: Entry[] = [];

  push(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.push(entry) - 1;

    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = entries[parentAt];
      if (!parent || parent.due_at <= entry.due_at) break;

      entries[at] = parent;
      at = parentAt;
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
      const childAt = this.#earlier(2 * at + 1, 2 * at + 2);
      const child = entries[childAt];
      if (!child || child.due_at >= last.due_at) break;

      entries[at] = child;
      at = childAt;
    }
    entries[at] = last;
    return first;
  }

  /**
   * Gives the index whose entry is due first. It is the left one when they are
   * equal or missing.
   */
  #earlier(left: number, right: number): number {
    return this.#dueAt(right) < this.#dueAt(left) ? right : left;
  }

  #dueAt(index: number): number {
    return this.#entries[index]?.due_at ?? Number.POSITIVE_INFINITY;
  }
}
