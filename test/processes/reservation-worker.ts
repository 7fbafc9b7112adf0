// A process that submits one session and is killed at one moment of the host's catalog.
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { hostCatalog } from "../support/host-stock.ts";

const [kind = "", where = "", schema = "", file = "", moment = "", ...rest] = process.argv.slice(2);
const [token = "", payment_method_id = "", outcome = ""] = rest;
const storage =
  kind === "postgres"
    ? postgresStorage(new pg.Pool({ connectionString: where, max: 4 }), { schema })
    : sqliteStorage(where);

const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  gateways: [sandboxGateway()],
  catalog: hostCatalog({
    read: () => JSON.parse(readFileSync(file, "utf8")),
    write: (book) => writeFileSync(file, JSON.stringify(book)),
    at: (now) => {
      if (now === moment) process.kill(process.pid, "SIGKILL");
    },
  }),
});
await storefront.checkout
  .submit(token, { payment_method_id, input: { outcome } })
  .catch(() => undefined);
process.exit(0);
