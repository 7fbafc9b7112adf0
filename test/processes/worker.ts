// A process of a platform. It builds a storefront on the given database and carries out commands,
// one JSON line each.
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";

const [kind = "", where = "", schema = ""] = process.argv.slice(2);
const pool = kind === "postgres" ? new pg.Pool({ connectionString: where, max: 8 }) : null;
pool?.on("error", () => {});
const storage = pool ? postgresStorage(pool, { schema }) : sqliteStorage(where);
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  gateways: [sandboxGateway()],
  sealKey: new Uint8Array(32).fill(3),
});

interface Task {
  readonly act: "migrate" | "call" | "submit";
  readonly count?: number;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly tokens?: readonly string[];
  readonly method_id?: string;
}

const call = async ({ path = "", headers = {}, body }: Task) => {
  const request = new Request(
    `http://host/v1${path}`,
    body === undefined
      ? { headers }
      : {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        },
  );
  const response = await storefront.handler(request, { ip: "203.0.113.9" });
  const answer = await response.json();
  return { status: response.status, code: answer.error?.code ?? null, id: answer.data?.id ?? null };
};

async function run(task: Task): Promise<unknown> {
  if (task.act === "migrate") return storefront.migrate();
  if (task.act === "call")
    return Promise.all(Array.from({ length: task.count ?? 1 }, () => call(task)));
  const submit = (token: string): Promise<unknown> =>
    storefront.checkout.submit(token, { payment_method_id: task.method_id }).then(
      // What a slow machine could not write is found by asking, as the page asks.
      async ({ order: { number, status } }) => ({
        number,
        status:
          status === "pending" ? (await storefront.checkout.resume(token)).order.status : status,
        code: null,
      }),
      (error: { code?: string }) =>
        // A buyer tries again when a slow machine gives no connection in time.
        error.code === "service_unavailable"
          ? submit(token)
          : { number: 0, status: null, code: error.code ?? String(error) },
    );
  return Promise.all((task.tokens ?? []).map(submit));
}

process.on("message", (task: Task) => {
  run(task).then(
    (result) => process.send?.({ result: result ?? null }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.({ ready: true });
