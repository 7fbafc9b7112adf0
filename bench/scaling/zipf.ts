// Simulates stores of Zipf sizes over the nodes of a Citus cluster. Nothing here is measured.
// Run it with: npx tsx bench/scaling/zipf.ts
const shardCounts = [32, 128] as const;
const nodes = 4;
const runs = 20;

/** A platform in which store n writes 1/n of what the largest store writes, before the cap. */
interface Platform {
  readonly stores: number;
  /** No store has a larger part of all writes. 1 means that there is no cap. */
  readonly largest: number;
}

const platforms: readonly Platform[] = [
  { stores: 1_000, largest: 1 },
  { stores: 100_000, largest: 1 },
  { stores: 100_000, largest: 0.01 },
  { stores: 1_000_000, largest: 0.01 },
];

/** Gives the part of each store in all writes. */
function sharesOf({ stores, largest }: Platform): Float64Array {
  const shares = Float64Array.from({ length: stores }, (_, index) => 1 / (index + 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  for (let index = 0; index < stores; index += 1)
    shares[index] = Math.min((shares[index] ?? 0) / total, largest);

  const kept = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / kept);
}

/** Gives numbers from 0 to 1, always the same for a seed. They repeat after four billion. */
function xorshift(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Places each store on a shard by a hash of its id, as Citus does. */
function shardsOf(shares: Float64Array, shards: number, run: number): Float64Array {
  const loads = new Float64Array(shards);
  const next = xorshift(run + 1);
  for (const share of shares) {
    const shard = Math.floor(next() * shards);
    loads[shard] = (loads[shard] ?? 0) + share;
  }
  return loads;
}

interface Placement {
  readonly loads: readonly number[];
  /** Holds the node of each shard. */
  readonly nodeOf: readonly number[];
}

function placed(shards: Float64Array, nodeOf: readonly number[]): Placement {
  const loads = Array.from({ length: nodes }, () => 0);
  for (const [shard, node] of nodeOf.entries())
    loads[node] = (loads[node] ?? 0) + (shards[shard] ?? 0);
  return { loads, nodeOf };
}

/** Deals the shards out to the nodes in turn, as `create_distributed_table` does. */
const roundRobin = (shards: Float64Array): Placement =>
  placed(
    shards,
    [...shards.keys()].map((shard) => shard % nodes),
  );

const heaviest = ({ loads }: Placement): number => Math.max(...loads) * nodes;

/**
 * Moves one shard at a time from the fullest node to the emptiest: the shard that
 * makes the two most equal. It stops when the fullest node is at most 10 % above
 * the average or no move helps.
 */
function rebalanced(
  shards: Float64Array,
  start: Placement,
): Placement & { readonly moves: number } {
  let now = start;
  for (let moves = 0; ; moves += 1) {
    const better = heaviest(now) > 1.1 ? bestMove(shards, now) : null;
    if (!better) return { ...now, moves };
    now = better;
  }
}

function bestMove(shards: Float64Array, { loads, nodeOf }: Placement): Placement | null {
  const from = loads.indexOf(Math.max(...loads));
  const to = loads.indexOf(Math.min(...loads));
  const gap = (loads[from] ?? 0) - (loads[to] ?? 0);
  const distance = (shard: number): number => Math.abs((shards[shard] ?? 0) - gap / 2);

  const [best] = [...nodeOf.keys()]
    .filter((shard) => nodeOf[shard] === from && (shards[shard] ?? 0) < gap)
    .sort((a, b) => distance(a) - distance(b));
  if (best === undefined) return null;
  return placed(
    shards,
    nodeOf.map((node, shard) => (shard === best ? to : node)),
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number): string => `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`;
const times = (value: number): string => value.toFixed(2);

console.log(
  `${nodes} nodes, ${runs} runs; load: the writes of a node, 1.00 is the average of all nodes\n\n` +
    "| stores | largest store | shards | fullest node at first | the same, worst run | moves |" +
    " fullest node after | writes on the fullest node |\n" +
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
);
for (const platform of platforms) {
  const shares = sharesOf(platform);
  for (const count of shardCounts) {
    const results = Array.from({ length: runs }, (_, run) => {
      const shards = shardsOf(shares, count, run);
      const first = roundRobin(shards);
      const after = rebalanced(shards, first);
      return { first: heaviest(first), after: heaviest(after), moves: after.moves };
    });
    const firsts = results.map(({ first }) => first);
    const after = mean(results.map((result) => result.after));
    const cells = [
      platform.stores.toLocaleString("en-US"),
      percent(shares[0] ?? 0),
      count,
      times(mean(firsts)),
      times(Math.max(...firsts)),
      mean(results.map(({ moves }) => moves)).toFixed(1),
      times(after),
      percent(after / nodes),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
