import type { CommandRow } from "../../frame/command.ts";

/** Commands for tools and other programs. */
export const toolRows: readonly CommandRow[] = [
  {
    name: "openapi",
    summary: "Write the API's OpenAPI 3.1 document.",
    ways: [],
    about: "nothing",
    options: [
      { flags: "--server <url>", text: "the address of the API in the document" },
      { flags: "--out <file>", text: "write into this file" },
    ],
    example: "vitrine openapi --server https://api.example.com/v1 --out openapi.json",
    load: () => import("./openapi.ts"),
  },
  {
    name: "conformance",
    summary: "Run the suite of the storage port on an empty storage beside yours.",
    ways: ["config"],
    about: "deployment",
    options: [
      { flags: "--grep <text>", text: "the cases whose names have this text" },
      { flags: "--yes", text: "also where the database has stores" },
    ],
    example: "vitrine conformance --grep refund",
    load: () => import("./conformance.ts"),
  },
  {
    name: "mock",
    summary: "Serve a shop from memory, offline, for pages that are being built.",
    ways: [],
    about: "nothing",
    options: [{ flags: "--port <port>", text: "where it listens (4242 without it; 0 is any)" }],
    example: "vitrine mock --port 4000",
    load: () => import("./mock.ts"),
  },
  {
    name: "completion",
    summary: "Write the completion of a shell.",
    ways: [],
    about: "nothing",
    arguments: [{ name: "<shell>", text: "the shell", choices: ["bash", "zsh", "fish"] }],
    example: "vitrine completion bash > ~/.local/share/bash-completion/completions/vitrine",
    load: () => import("./completion.ts"),
  },
];
