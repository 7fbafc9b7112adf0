// A process that moves a month into the archive, and that is killed at random: around a write of a
// file, and around a step that removes an order.
import pg from "pg";
import { createStorefront } from "vitrine";
import { archiveFolder } from "vitrine/archive";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";

const [kind = "", where = "", schema = "", ...rest] = process.argv.slice(2);
const [store_id = "", month = "", ahead = "", folder = "", life = ""] = rest;
const storage =
  kind === "postgres"
    ? postgresStorage(new pg.Pool({ connectionString: where, max: 4 }), { schema })
    : sqliteStorage(where);

/** The process dies when it has passed so many points at which it may. */
let left = Number(life);
const mayDie = (): void => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};

const files = archiveFolder(folder);
const { orders } = storage;
const storefront = createStorefront({
  storage: Object.assign(Object.create(storage), {
    orders: Object.assign(Object.create(orders), {
      async step(...args: Parameters<typeof orders.step>) {
        mayDie();
        const result = await orders.step(...args);
        mayDie();
        return result;
      },
    }),
  }),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  now: () => Date.now() + Number(ahead),
});

await storefront.owner.archive.move(
  { store_id, livemode: false, month },
  {
    ...files,
    async write(name, bytes) {
      mayDie();
      await files.write(name, bytes);
      mayDie();
    },
  },
);
process.exit(0);
