import type { SqlEngine } from "../../engine/engine.ts";
import { askNodes } from "./ask-nodes.ts";
import { type CitusNode, type Placements, placementReader } from "./placements.ts";
import { Rests } from "./rests.ts";

/** Knows where the shards lie, and which nodes are lost. */
export class NodeWatch {
  readonly #engine: SqlEngine;
  readonly #placements: ReturnType<typeof placementReader>;
  readonly #rests = new Rests();

  constructor(engine: SqlEngine, table: string) {
    this.#engine = engine;
    this.#placements = placementReader(engine, table);
  }

  isLost({ id }: CitusNode): boolean {
    return this.#rests.isLost(id);
  }

  isSomeLost({ nodes }: Placements): boolean {
    return nodes.some((node) => this.isLost(node));
  }

  /**
   * Tells where the shards lie. It asks lost nodes whose rest is over, but does not
   * wait for them.
   */
  async find(): Promise<Placements> {
    const placements = await this.#placements.find();
    for (const node of placements.nodes)
      if (this.#rests.takeTurn(node.id))
        void this.#check([node]).catch(() => this.#rests.lost(node.id));
    return placements;
  }

  isEveryLost({ nodes }: Placements): boolean {
    return nodes.every((node) => this.isLost(node));
  }

  /**
   * Finds out, after an error, which node caused it and whether shards have moved.
   * When no other node answers, it asks those too whose rest is not over, because they
   * may have come back.
   */
  async lookAround(): Promise<Placements> {
    this.#placements.forget();
    const placements = await this.#placements.find();
    const resting = placements.nodes.filter((node) => this.isLost(node));
    await this.#check(placements.nodes.filter((node) => !resting.includes(node)));
    if (this.isEveryLost(placements)) await this.#check(resting);
    return placements;
  }

  /** Asks nodes for a sign of life, and notes which of them give none. */
  async #check(nodes: readonly CitusNode[]): Promise<void> {
    const commands = nodes.map((node) => ({ node, text: "select 1" }));
    for (const { node, error } of await askNodes(this.#engine, commands)) {
      if (error === null) this.#rests.answered(node.id);
      else this.#rests.lost(node.id);
    }
  }
}
