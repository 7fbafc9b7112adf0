import type { ArgumentRow, CommandRow } from "../../frame/command.ts";
import { secretTo } from "../../frame/shared-options.ts";

const id: readonly ArgumentRow[] = [{ name: "<id>", text: "the webhook endpoint", params: ["id"] }];

/** What an endpoint has beside the actions of every record. */
export const endpointRows: readonly CommandRow[] = [
  {
    name: "endpoints enable",
    summary: "Enable a webhook endpoint again.",
    ways: ["config"],
    about: "store",
    changes: "Enable the webhook endpoint",
    arguments: id,
    options: [
      {
        flags: "--replay-since <time>",
        text: "send what it missed since then: an age such as 3d, or a time",
        params: ["replay_since"],
      },
    ],
    example: "vitrine endpoints enable we_… --replay-since 3d",
    load: async () => ({ run: (await import("./endpoint-life.ts")).enable }),
  },
  {
    name: "endpoints disable",
    summary: "Disable a webhook endpoint: what is pending is skipped.",
    ways: ["config"],
    about: "store",
    changes: "Disable the webhook endpoint",
    arguments: id,
    example: "vitrine endpoints disable we_…",
    load: async () => ({ run: (await import("./endpoint-life.ts")).disable }),
  },
  {
    name: "endpoints rotate-secret",
    summary: "Make a new secret for a webhook endpoint.",
    ways: ["config"],
    about: "store",
    changes: "Make a new secret for the webhook endpoint",
    arguments: id,
    options: [
      {
        flags: "--overlap <span>",
        text: "how long the old secret signs too (24h without it); 0h when it has leaked",
        params: ["overlap_seconds"],
      },
      secretTo,
    ],
    example: "vitrine endpoints rotate-secret we_… --secret-to hook.txt",
    load: async () => ({ run: (await import("./endpoint-life.ts")).rotateSecret }),
  },
];
