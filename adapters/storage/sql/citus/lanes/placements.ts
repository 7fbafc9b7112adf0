import { sql } from "kysely";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { postgresQueries } from "../../engine/postgres/postgres-queries.ts";
import { many } from "../../engine/queries.ts";
import { firstTable } from "../../schema/distribution.ts";
import { type Naming, nameStatement, namesBy } from "../../schema/names.ts";

/** A server that holds shards. */
export interface CitusNode {
  /** The id is `host:port`. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

/** Where the shards lie. A shard has the id that it has in the first table. */
export interface Placements {
  readonly nodes: readonly CitusNode[];
  readonly nodeOf: ReadonlyMap<number, CitusNode>;
}

const keptMs = 10_000;

/** Reads where the shards lie, and keeps it for ten seconds. */
export function placementReader({ read, db }: SqlEngine, table: string) {
  let kept: { readonly placements: Placements; readonly until: number } | undefined;

  const select = sql<{ shard: number; host: string; port: number }>`
    select s.shardid as shard, cast(n.nodename as text) as host, n.nodeport as port
    from pg_dist_shard as s
    join pg_dist_placement as p on p.shardid = s.shardid
    join pg_dist_node as n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid = cast(${table} as regclass)
    order by s.shardid`;

  return {
    async find(): Promise<Placements> {
      if (kept && kept.until > performance.now()) return kept.placements;

      const nodes = new Map<string, CitusNode>();
      const nodeOf = new Map<number, CitusNode>();
      for (const { shard, host, port } of await read(() => many(select.compile(db)))) {
        const id = `${host}:${port}`;
        const node = nodes.get(id) ?? { id, host, port };
        nodes.set(id, node);
        nodeOf.set(shard, node);
      }
      const placements = { nodes: [...nodes.values()], nodeOf };
      kept = { placements, until: performance.now() + keptMs };
      return placements;
    },
    /** Forgets what is kept. Call it after an error, because shards may have moved. */
    forget(): void {
      kept = undefined;
    },
  };
}

/** Gives the first table's name in PostgreSQL's notation. */
export const firstTableName = ({ dialect }: SqlEngine, naming: Naming): string =>
  nameStatement(`{${firstTable}}`, naming, dialect);

/** Holds, for each shard, a query builder with the table names that its node uses. */
export type ShardQueries = ReadonlyMap<number, Db>;

/** Reads the names of the tables of all shards. They stay the same until a shard is split. */
export async function readShardQueries(
  { read, db }: SqlEngine,
  naming: Naming,
  table: string,
): Promise<ShardQueries> {
  const select = sql<{ shard: number; schema: string; name: string; own_shard: number }>`
    select first.shardid as shard, n.nspname as schema, c.relname as name,
      own.shardid as own_shard
    from pg_dist_shard as first
    join pg_dist_partition as f on f.logicalrelid = first.logicalrelid
    join pg_dist_partition as o on o.colocationid = f.colocationid
    join pg_dist_shard as own
      on own.logicalrelid = o.logicalrelid and own.shardminvalue = first.shardminvalue
    join pg_class as c on c.oid = own.logicalrelid
    join pg_namespace as n on n.oid = c.relnamespace
    where first.logicalrelid = cast(${table} as regclass)`;
  const rows = await read(() => many(select.compile(db)));

  const shards = new Map<number, Map<string, string>>();
  for (const { shard, name, own_shard } of rows) {
    const names = shards.get(shard) ?? new Map<string, string>();
    names.set(name, `${name}_${own_shard}`);
    shards.set(shard, names);
  }

  const schema = rows[0]?.schema ?? null;
  const queriesOf = (names: ReadonlyMap<string, string>): Db =>
    postgresQueries(
      namesBy(schema, (name) => names.get(naming.prefix + name) ?? naming.prefix + name),
    );
  return new Map([...shards].map(([shard, names]) => [shard, queriesOf(names)]));
}
