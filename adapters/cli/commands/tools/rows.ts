import type { CommandRow } from "../../frame/command.ts";

/** Commands that need neither a host nor an API. */
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
    name: "completion",
    summary: "Write the completion of a shell.",
    ways: [],
    about: "nothing",
    arguments: [{ name: "<shell>", text: "the shell", choices: ["bash", "zsh", "fish"] }],
    example: "vitrine completion bash > ~/.local/share/bash-completion/completions/vitrine",
    load: () => import("./completion.ts"),
  },
];
