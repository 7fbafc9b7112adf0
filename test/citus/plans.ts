import type pg from "pg";

export interface Sent {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** How Citus runs a statement. */
interface CitusPlan {
  readonly text: string;
  /** How many tasks it makes of it; 0 when the coordinator answers. */
  readonly tasks: number;
  /**
   * The statement names one table and one store, so that Citus sends it to the shard without
   * planning a query.
   */
  readonly isDirect: boolean;
  /** The coordinator computes the rows, sends them to all nodes, and commits in two phases. */
  readonly isPulled: boolean;
}

/** Explains each statement once. */
export async function plansOf(pool: pg.Pool, sent: readonly Sent[]): Promise<readonly CitusPlan[]> {
  const statements = [...new Map(sent.map((query) => [query.text, query])).values()].filter(
    ({ text }) => /^\s*(select|insert|update|delete|with)/i.test(text),
  );
  const client = await pool.connect();
  let notes: string[] = [];
  const note = ({ message = "" }: { readonly message?: string | undefined }): void => {
    notes.push(message);
  };
  client.on("notice", note);
  try {
    // Citus tells at this level how it plans a statement.
    await client.query("set client_min_messages = debug3");
    const plans: CitusPlan[] = [];
    for (const { text, values } of statements) {
      notes = [];
      const explain = { text: `explain ${text}`, values: [...(values ?? [])] };
      const { rows } = await client.query(explain);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      plans.push(readPlan(text.trim(), plan, notes));
    }
    await client.query("reset client_min_messages");
    return plans;
  } finally {
    client.off("notice", note);
    client.release();
  }
}

function readPlan(text: string, plan: string, notes: readonly string[]): CitusPlan {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map((match) => Number(match[1]));
  const wasTold = (part: string): boolean => notes.some((note) => note.includes(part));
  const isInsertOfValues = /^insert/i.test(text) && !wasTold("shard count after pruning");
  const isPulled = plan.includes("Citus INSERT ... SELECT");
  return {
    text,
    tasks: counts.reduce((sum, count) => sum + count, 0),
    isDirect: !isPulled && (wasTold("fast-path router query") || isInsertOfValues),
    isPulled,
  };
}

/** The pool, with every statement of its clients noted. */
export function recording(pool: pg.Pool, sent: Sent[]): pg.Pool {
  const record = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "query") return value.bind(target);
        return (query: Sent) => {
          sent.push(query);
          return value.call(target, query);
        };
      },
    });

  return new Proxy(pool, {
    get(target, name) {
      if (name !== "connect") return Reflect.get(target, name);
      return (callback: (error?: Error, client?: pg.PoolClient) => void) =>
        target.connect((error, client) => callback(error, client && record(client)));
    },
  });
}
