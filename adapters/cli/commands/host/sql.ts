import type { SqlMigration } from "../../../storage/postgres.ts";
import { type Call, end } from "../../frame/command.ts";
import { writeOut } from "../../frame/files/out-file.ts";
import type { Input } from "../../frame/input.ts";

/** Writes the migrations as SQL, for people who run SQL themselves. */
export async function run({ input, screen }: Call): Promise<void> {
  const from = input.number("from", 1) ?? 1;
  const migrations = (await migrationsOf(input)).filter(({ id }) => id >= from);
  if (migrations.length === 0) end("usage", `There is no migration from ${from} on.`);

  const out = input.text("out");
  const text = migrations.map(input.flag("steps") ? stepsText : wholeText).join("\n");
  if (out !== undefined) writeOut(out, text);
  const written = { migrations: migrations.map(({ id, name }) => ({ id, name })), out };
  screen.result(out === undefined ? migrations : written, () => [
    out === undefined ? text : `${migrations.length} migrations are in ${out}.`,
  ]);
}

async function migrationsOf(input: Input): Promise<readonly SqlMigration[]> {
  const database = input.argument(0);
  const tablePrefix = input.text("table-prefix");
  const prefix = tablePrefix === undefined ? {} : { tablePrefix };
  if (database === "sqlite") return (await import("vitrine/sqlite")).sqliteMigrations(prefix);

  const schema = input.text("schema");
  const { postgresMigrations } = await import("vitrine/postgres");
  return postgresMigrations({
    ...prefix,
    ...(schema !== undefined && { schema }),
    ...(database === "citus" && { distribute: "citus" }),
  });
}

const wholeText = ({ id, name, sql }: SqlMigration): string =>
  `-- Migration ${id}: ${name}. Run it in one transaction, on an empty database.\n${sql}`;

const stepsText = ({ id, name, steps }: SqlMigration): string =>
  [
    `-- Migration ${id}: ${name}. Run each statement by itself.`,
    ...steps.map(({ sql, in_transaction, remark }) =>
      [`-- ${remark}${in_transaction ? "" : " Outside of a transaction."}`, `${sql};`].join("\n"),
    ),
    "",
  ].join("\n");
