import { parseArgs } from "node:util";
import { type AgentProtocol, agentProtocols } from "./agent.ts";

export interface DemoOptions {
  readonly port: number;
  readonly database: string;
  readonly catalog: string | null;
  readonly storage: "sqlite" | "memory" | "postgres";
  /** It is true when the user named a storage or a database: the demo then uses no other one. */
  readonly storageIsNamed: boolean;
  /**
   * It is the number of checkout calls per minute and address. Null means that
   * there are no limits, and undefined means those of production.
   */
  readonly checkoutLimit: number | null | undefined;
  /** This provider takes payments, beside the sandbox. */
  readonly gateway: "sandbox" | "stripe" | "pix";
  /** When it is true, the first start of a database writes three months of orders. */
  readonly history: boolean;
  readonly json: boolean;
  /** By this protocol an agent makes a checkout at the start. Null means that there is none. */
  readonly agent: AgentProtocol | null;
}

export const helpText = `vitrine demo: a shop on the headless API, with a sandbox checkout and a webhook receiver.

Usage: npm start -- [options]

  --port N              port to listen on (default 4242; 0 = any free one)
  --database FILE       SQLite file, or :memory: (default .data/demo.sqlite)
  --storage KIND        sqlite (default), memory (keeps nothing), or postgres with --database postgres://user@host/name
  --catalog FILE.csv    a product export of Shopify instead of the demo's own products (first start of a database)
  --limits off          no rate limits
  --limits checkout=N   N checkout sessions a minute from one address (default 10)
  --gateway KIND        sandbox (default), stripe: a fake of Stripe that the real client talks to, or
                        pix: a fake bank, whose codes are paid at /bank
  --history off         no orders of the last three months (first start of a database)
  --agent PROTOCOL      an agent that buys by ucp, acp or mcp, and hands the payment over to you
  --json                print one line of JSON with the address, keys and ids first
  --help                this text
`;

/** The command line is wrong: the message is one sentence, and the exit code is 2. */
export class UsageError extends Error {
  readonly exitCode = 2;
}

/** Throws a UsageError about the first mistake. Returns null when the user asks for help. */
export function readOptions(argv: readonly string[]): DemoOptions | null {
  const values = parse(argv);
  if (values.help) return null;
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new UsageError("--port must be a number from 0 to 65535.");
  const storageIsNamed = values.storage !== undefined || values.database !== undefined;
  const { storage = "sqlite", database = ".data/demo.sqlite" } = values;
  if (storage !== "sqlite" && storage !== "memory" && storage !== "postgres")
    throw new UsageError("--storage must be sqlite, memory or postgres.");
  if (storage === "postgres" && !/^postgres(ql)?:\/\//.test(database))
    throw new UsageError("--storage postgres needs --database postgres://user@host/name.");
  if (database === "") throw new UsageError("--database must name a file, or be :memory:.");
  if (values.catalog === "") throw new UsageError("--catalog must name a CSV file.");
  const { gateway, history } = values;
  if (history !== "on" && history !== "off") throw new UsageError("--history must be on or off.");
  if (gateway !== "sandbox" && gateway !== "stripe" && gateway !== "pix")
    throw new UsageError("--gateway must be sandbox, stripe or pix.");
  const agent = agentProtocols.find((protocol) => protocol === values.agent) ?? null;
  if (values.agent !== undefined && agent === null)
    throw new UsageError("--agent must be ucp, acp or mcp.");
  return {
    port,
    agent,
    gateway,
    database,
    catalog: values.catalog ?? null,
    storage,
    storageIsNamed,
    checkoutLimit: readLimits(values.limits),
    history: history === "on",
    json: values.json,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: "string", default: "4242" },
        database: { type: "string" },
        catalog: { type: "string" },
        storage: { type: "string" },
        limits: { type: "string" },
        gateway: { type: "string", default: "sandbox" },
        history: { type: "string", default: "on" },
        agent: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    // Its first sentence says what is wrong; the others are advice about dashes.
    const [sentence = "The options cannot be read"] = (
      error instanceof Error ? error.message : ""
    ).split(/\.\s+(?=[A-Z])|\.?\s*\n|\.?$/, 1);
    throw new UsageError(`${sentence}; --help lists the options.`);
  }
}

function readLimits(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "off") return null;
  const [, digits] = /^checkout=([1-9]\d{0,5})$/.exec(text) ?? [];
  if (digits === undefined)
    throw new UsageError("--limits must be off, or checkout=N with N from 1 to 999999.");
  return Number(digits);
}
