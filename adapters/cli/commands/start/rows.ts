import type { CommandRow } from "../../frame/command.ts";
import { databaseNames, hostNames } from "./names.ts";

/** Commands with which a shop begins. */
export const startRows: readonly CommandRow[] = [
  {
    name: "init",
    summary: "Write a host that runs at once into this folder.",
    ways: [],
    about: "nothing",
    options: [
      { flags: "--host <name>", text: "what the storefront is mounted in", choices: hostNames },
      { flags: "--database <name>", text: "where it keeps everything", choices: databaseNames },
      { flags: "--port <port>", text: "where the host listens (3000 without it)" },
      { flags: "--no-install", text: "do not run npm install" },
    ],
    example: "npx vitrine@latest init --host express --database sqlite",
    load: () => import("./init.ts"),
  },
  {
    name: "seed",
    summary: "Make a store that sells in test mode, with keys.",
    ways: ["config"],
    about: "deployment",
    options: [
      { flags: "--name <name>", text: "the store's name (Armazém without it)", params: ["name"] },
      { flags: "--currency <code>", text: "its currency (BRL without it)", params: ["currency"] },
      { flags: "--secret-to <file>", text: "write the secret key into this new file (0600)" },
    ],
    example: "vitrine seed --currency EUR --secret-to key.txt",
    load: () => import("./seed.ts"),
  },
];
