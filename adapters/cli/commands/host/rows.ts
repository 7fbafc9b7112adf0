import type { CommandRow } from "../../frame/command.ts";

/** Commands about the whole deployment. */
export const hostRows: readonly CommandRow[] = [
  {
    name: "migrate",
    summary: "Create or update the tables.",
    ways: ["config"],
    about: "deployment",
    changes: "Create or update its tables",
    options: [{ flags: "--dry-run", text: "show the pending statements and change nothing" }],
    example: "vitrine migrate --dry-run",
    load: () => import("./migrate.ts"),
  },
  {
    name: "doctor",
    summary: "Look for what goes wrong in hosts, and say how to mend it.",
    ways: ["config"],
    about: "deployment",
    options: [{ flags: "--disk <MiB>", text: "the least free space (1024 without it)" }],
    example: "vitrine doctor --json",
    load: () => import("./doctor/doctor.ts"),
  },
  {
    name: "sql",
    summary: "Write the migrations as SQL, to run them yourself.",
    ways: [],
    about: "nothing",
    arguments: [
      { name: "<database>", text: "the database", choices: ["postgres", "citus", "sqlite"] },
    ],
    options: [
      { flags: "--steps", text: "short statements, for a database that sells meanwhile" },
      { flags: "--from <id>", text: "begin with this migration" },
      { flags: "--schema <name>", text: "the PostgreSQL schema of the tables" },
      { flags: "--table-prefix <prefix>", text: "what every table name begins with" },
      { flags: "--out <file>", text: "write into this file" },
    ],
    example: "vitrine sql postgres --schema shop --out shop.sql",
    load: () => import("./sql.ts"),
  },
  {
    name: "drain",
    summary: "Send the webhooks that are due.",
    ways: ["config"],
    about: "deployment",
    changes: "Send its webhooks",
    example: "vitrine drain --yes --json",
    load: () => import("./drain.ts"),
  },
  {
    name: "maintain",
    summary: "Expire, ask gateways, purge and prune, until no work is left.",
    ways: ["config"],
    about: "deployment",
    changes: "Run its maintenance",
    example: "vitrine maintain --yes",
    load: () => import("./maintain.ts"),
  },
  {
    name: "stats",
    summary: "Show orders, money and failures of a store.",
    ways: ["config"],
    about: "store",
    options: [
      { flags: "--hours <hours>", text: "how far back (24 without it)" },
      { flags: "--watch", text: "keep the screen up to date until Ctrl-C" },
      { flags: "--every <seconds>", text: "how often --watch reads (2 without it)" },
    ],
    example: "vitrine stats --watch",
    load: () => import("./stats.ts"),
  },
];
