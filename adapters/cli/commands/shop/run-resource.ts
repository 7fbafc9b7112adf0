import { type Call, type ExitName, end, type Run } from "../../frame/command.ts";
import { type SecretFile, withSecretFile } from "../../frame/files/secret-file.ts";
import type { Input } from "../../frame/input.ts";
import { recordLines, tableLines } from "../../frame/table-lines.ts";
import { wholeAddress } from "./addresses.ts";
import { type Fields, readFields } from "./fields.ts";
import { type Place, type Resource, type ResourceName, resources } from "./resources.ts";

export type Action = "list" | "show" | "create" | "update" | "remove";

/** Gives what runs an action on a kind of record. */
export function runnerOf(name: ResourceName, action: Action): Run {
  const resource: Resource = resources[name];
  return async (call) => {
    // Only `stores` has commands that are about no store: they do not ask for it.
    const place: Place = {
      owner: call.host().storefront.owner,
      catalog: call.host().parts.storage.catalog,
      get store() {
        return call.store();
      },
    };
    return actions[action](call, resource, place);
  };
}

type Act = (call: Call, resource: Resource, place: Place) => Promise<ExitName | undefined>;

const actions: Readonly<Record<Action, Act>> = {
  async list({ input, screen }, resource, place) {
    const limit = input.number("limit", 1, 100);
    const starting_after = input.text("after");
    const page = await resource.list(place, {
      ...(limit !== undefined && { limit }),
      ...(starting_after !== undefined && { starting_after }),
    });
    screen.result(page, () => [
      ...(page.data.length === 0
        ? ["None."]
        : tableLines(page.data as readonly Fields[], resource.columns, screen)),
      ...(page.has_more ? [`There are more: --after ${page.next_cursor}`] : []),
    ]);
    return undefined;
  },

  async show({ input, screen }, resource, place) {
    const id = await namedId(input, resource, place);
    const record = (await resource.show(place, id)) ?? end("failed", `There is no ${id}.`);
    screen.result(record, () => recordLines(record));
    return undefined;
  },

  async create(call, resource, place) {
    const { create } = resource;
    if (!create) throw new Error("Nothing creates this.");
    const fields = fieldsOf(call, resource);
    return withSecretFile(call.input, async (file) => {
      const record = await create(place, fields);
      return showCreated(call, record, { file, secret: resource.secret });
    });
  },

  async update(call, resource, place) {
    const { update } = resource;
    if (!update) throw new Error("Nothing updates this.");
    const ofStore = resource === resources.stores;
    const id = ofStore ? "" : await namedId(call.input, resource, place);
    const fields = readFields(call.input, call.input.words(ofStore ? 0 : 1));
    if (Object.keys(fields).length === 0)
      end("usage", "Say what to change: name=text, name:=JSON or --from <file>.");
    const record = await update(place, id, fields);
    call.screen.result(record, () => recordLines(record));
    return undefined;
  },

  async remove({ input, screen }, resource, place) {
    const id = await namedId(input, resource, place);
    if ((await resource.remove?.(place, id)) === false)
      return end("failed", `${id} is not registered.`);
    const done = resource === resources.keys ? "revoked" : "removed";
    screen.result({ id, removed: true }, () => [`${id} is ${done}.`]);
    return undefined;
  },
};

/** Gives the id that the first argument is, or that its slug or code stands for. */
async function namedId(input: Input, { idOf }: Resource, place: Place): Promise<string> {
  const word = input.argument(0) ?? "";
  if (!idOf) return word;
  return idOf({ catalog: place.catalog, store_id: place.store.store_id }, word);
}

/** Reads what a new record is made of: an address as it is, every other record by its fields. */
function fieldsOf({ input }: Call, { address }: Resource): Fields {
  if (address === undefined) return readFields(input, input.words(0));

  const word = input.argument(0) ?? "";
  if (/^https?:\/\//.test(word)) return { address: word };
  return end(
    "usage",
    `${word} is not a whole address: write ${wholeAddress(word) ?? `one such as ${address}`}.`,
  );
}

interface Kept {
  readonly file: SecretFile | null;
  readonly secret: string | undefined;
}

/** Shows a record whose secret is shown once, or writes that one into its file. */
export function showCreated({ screen }: Call, record: object, { file, secret }: Kept): undefined {
  const { [secret ?? ""]: text, ...rest } = record as Fields;
  const isKept = file !== null && secret !== undefined;
  if (isKept) file.write(String(text));
  const shown = isKept ? { ...rest, secret_to: file.name } : record;
  screen.result(shown, () => recordLines(shown));
}
