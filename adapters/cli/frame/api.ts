import { readFileSync, statSync } from "node:fs";
import { type Client, createClient } from "#core/client/client.ts";
import { isStorefrontError } from "#core/client/error.ts";
import { isSafeTransport } from "#core/domain/url-rules.ts";
import { askHidden } from "./ask.ts";
import { end } from "./exit.ts";
import type { Input } from "./input.ts";
import type { Screen } from "./screen.ts";

/** An API over HTTP, with the store and mode of its key. */
export interface Api {
  readonly url: string;
  readonly client: Client;
  readonly livemode: boolean;
  readonly store: { readonly id: string; readonly name: string };
}

const keyShape = /^hk_(live|test)_\w+$/;

/** Opens the API of `--url`. The key comes from everywhere but the command line. */
export async function openApi(url: string, input: Input, screen: Screen): Promise<Api> {
  refuseOpenWire(url);
  const key = await readKey(input, screen);
  screen.hide(key);

  const client = createClient({ baseUrl: url, key, maxRetries: 2 });
  const { data, livemode } = await client.getStore().catch((error: unknown) => {
    const isAway = isStorefrontError(error) && error.code === "connection_error";
    if (isAway) end("unreachable", `Nobody answers at ${url}. Is the host running?`);
    throw error;
  });
  return { url, client, livemode, store: { id: data.id, name: data.name } };
}

function refuseOpenWire(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    end("usage", "--url must be the address of an API, such as https://api.example.com/v1.");

  const address = new URL(url);
  if (!isSafeTransport(address))
    end("usage", `--url must begin with https://: the key could be read on its way.`);
}

async function readKey(input: Input, screen: Screen): Promise<string> {
  const file = input.text("key-file");
  const given = file === undefined ? process.env["VITRINE_API_KEY"] : readKeyFile(file);
  const key = given?.trim() || (await askKey(screen));
  if (keyShape.test(key)) return key;
  return end("usage", "This is not an API key: a key begins with hk_live_ or hk_test_.");
}

function readKeyFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return end("usage", `${file} is not a file.`);
  const { mode } = found;
  // Windows has no such modes: there a file is its user's own by its place.
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    end("usage", `Others can read ${file}, and it holds a key. Run: chmod 600 ${file}`);
  return readFileSync(file, "utf8");
}

const askKey = (screen: Screen): Promise<string> =>
  screen.interactive
    ? askHidden("API key (not shown): ")
    : end("usage", "Set VITRINE_API_KEY, or name a file of mode 0600 with --key-file.");
