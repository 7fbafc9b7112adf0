import { load, warm } from "./load.ts";
import { alternate, callsPerSecond } from "./measure.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { startServer, withServers } from "./server.ts";
import { storeShop } from "./servers/store-shop.ts";

/**
 * Compares GET /store through each host with a bare route of that host, which answers the same
 * bytes and checks nothing.
 */
export async function benchAdapters(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const host of ["node:http", "Fastify", "Express"]) rows.push(await onHost(host, options));
  return [...rows, await byRequest(options)];
}

// The processor time of the server counts. Against a bare route the load generator is the limit,
// and the ratio of answers would come out as one.
async function onHost(host: string, { seconds, rounds }: Options): Promise<Row> {
  const start = (route: string) => () => startServer("adapter.ts", { host, route });
  const sides = {
    vitrine: start("adapter"),
    "serve called by a route": start("serve"),
    bare: start("bare"),
  };
  return withServers(sides, async (servers) => {
    const asked = { paths: ["/store"], seconds, status: 200 };
    for (const server of Object.values(servers)) await warm(server, asked);
    const runs = Object.entries(servers).map(([name, server]) => [
      name,
      async () => (await load(server, asked)).perCpuSecond,
    ]);
    const measured = await alternate(rounds, Object.fromEntries(runs));
    const note =
      "What the adapter itself costs is what lies between vitrine and `serve` called by a route; " +
      "the rest is the request's own work.";
    const targets = host === "Express" ? [] : atLeast("vitrine", { bare: 0.85 });
    return {
      work: `GET /store on ${host}`,
      unit: "per CPU second",
      ...measured,
      base: "bare",
      targets,
      note,
    };
  });
}

async function byRequest({ seconds, rounds }: Options): Promise<Row> {
  const { storefront, key, reply } = await storeShop();
  const headers = { authorization: `Bearer ${key}` };
  const answering = (handler: (request: Request) => Promise<Response>) => (): Promise<number> =>
    callsPerSecond(seconds, async () => {
      const response = await handler(new Request("http://127.0.0.1/v1/store", { headers }));
      if (response.status !== 200) throw new Error(`The handler answered ${response.status}.`);
      await response.text();
    });
  const measured = await alternate(rounds, {
    vitrine: answering((request) => storefront.handler(request)),
    bare: answering(async () => new Response(reply.body, reply)),
  });
  return {
    work: "GET /store through handler(Request), no socket",
    unit: "per second",
    ...measured,
    base: "bare",
  };
}
