// Judges what searches find, and how long a search takes that finds nothing:
//   npx tsx bench/search/judge.ts [products] [memory|sqlite|postgres]
// By default there are 10,000 products, on each of the three storages.
import pg from "pg";
import { createStorefront, memoryStorage, type Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { isRight, type Judged, judge, judgedCatalog, precision } from "../../test/search/judged.ts";
import { median } from "../measure.ts";
import { dropDatabase, newDatabase, settle, stopPostgres } from "../postgres.ts";

const [count = "10000", only] = process.argv.slice(2);
const products = judgedCatalog(Number(count));

async function judgeOn(storage: Storage) {
  await storage.migrate();
  const { owner } = createStorefront({
    storage,
    publicUrl: "https://bench.example.com",
    sealKey: new Uint8Array(32),
  });
  const { id: store_id } = await owner.stores.create({
    name: "Search",
    slug: "search",
    currency: "BRL",
  });
  const began = performance.now();
  for (let from = 0; from < products.length; from += 500)
    await owner.products.putMany(store_id, products.slice(from, from + 500));
  const written = (performance.now() - began) / products.length;

  const find = async (text: string, correct = true) => {
    const search = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const query = { store_id, livemode: false, search, correct, limit: 20 } as const;
    const listed = await storage.catalog.listProducts({ ...query, sort: "relevance" });
    if (listed.outcome !== "listed") throw new Error(listed.outcome);
    return {
      names: listed.rows.map(({ document }) => JSON.parse(document).name as string),
      corrected_to: listed.corrected_to ?? null,
    };
  };
  const judged = await judge(find);
  return { judged, written, slowest: await timesOf(find) };
}

/** Words that are near nothing, near many words, and many at once. */
const nonsense = [
  "xqzwvkjh",
  "abcdefghij",
  "batatinha quando nasce",
  "baceditofuxazz",
  "qwertyuiop asdfghjkl zxcvbnm",
  "internacionalizacao",
];

async function timesOf(
  find: (text: string, correct?: boolean) => Promise<unknown>,
): Promise<string> {
  const rows: string[] = [];
  for (const text of nonsense) {
    const plain = await medianOf(() => find(text, false));
    const corrected = await medianOf(() => find(text));
    rows.push(`${text}: ${corrected.toFixed(1)} ms, ${plain.toFixed(1)} without a correction`);
  }
  return rows.join("\n    ");
}

async function medianOf(call: () => Promise<unknown>): Promise<number> {
  await call();
  const times: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return median(times);
}

function tell(
  name: string,
  { judged, written, slowest }: Awaited<ReturnType<typeof judgeOn>>,
): void {
  const kinds = [...new Set(judged.map(({ query }) => query.kind))];
  const ofKinds = kinds.map((kind) => `${kind} ${precision(judged, kind).toFixed(1)}%`);
  console.log(`${name}, ${products.length} products, ${written.toFixed(2)} ms to write each`);
  console.log(`  first hit right: ${precision(judged).toFixed(1)}% of ${judged.length} queries`);
  console.log(`    ${ofKinds.join(", ")}`);
  for (const one of judged.filter((each) => !isRight(each))) console.log(`    ${missOf(one)}`);
  console.log(`  nothing found:\n    ${slowest}`);
}

const missOf = ({ query, names, corrected_to }: Judged): string =>
  `${query.text}: ${names[0]}, corrected to ${corrected_to}, not ${query.first}`;

const sides: Readonly<
  Record<string, (told: (storage: Storage) => Promise<void>) => Promise<void>>
> = {
  memory: (told) => told(memoryStorage()),
  async sqlite(told) {
    const storage = sqliteStorage(":memory:");
    await told(storage);
    await storage.close();
  },
  async postgres(told) {
    const url = await newDatabase();
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    pool.on("error", () => {});
    await told(postgresStorage(pool, { preparedStatements: true }));
    await settle(url);
    await pool.end();
    await dropDatabase(url);
    await stopPostgres();
  },
};

const answers = new Map<string, string>();
for (const [name, open] of Object.entries(sides))
  if (only === undefined || only === name)
    await open(async (storage) => {
      const result = await judgeOn(storage);
      tell(name, result);
      answers.set(name, JSON.stringify(result.judged));
    });
if (new Set(answers.values()).size > 1) {
  console.error("The storages do not answer alike.");
  process.exitCode = 1;
}
