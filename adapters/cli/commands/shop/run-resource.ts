import { writeFileSync } from "node:fs";
import { type Call, type ExitName, end, type Run } from "../../frame/command.ts";
import { recordLines, tableLines } from "../../frame/table-lines.ts";
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
    const limit = input.number("limit", 1);
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
    const id = input.argument(0) ?? "";
    const record = (await resource.show(place, id)) ?? end("failed", `There is no ${id}.`);
    screen.result(record, () => recordLines(record));
    return undefined;
  },

  async create(call, resource, place) {
    const { create } = resource;
    if (!create) throw new Error("Nothing creates this.");
    const record = await create(place, fieldsOf(call, 0));
    return showCreated(call, record, resource.secret);
  },

  async update(call, resource, place) {
    const { update } = resource;
    if (!update) throw new Error("Nothing updates this.");
    const ofStore = resource === resources.stores;
    const id = ofStore ? "" : (call.input.argument(0) ?? "");
    const record = await update(place, id, fieldsOf(call, ofStore ? 0 : 1));
    call.screen.result(record, () => recordLines(record));
    return undefined;
  },

  async remove({ input, screen }, resource, place) {
    const id = input.argument(0) ?? "";
    if ((await resource.remove?.(place, id)) === false)
      return end("failed", `${id} is not registered.`);
    screen.result({ id, removed: true }, () => [`${id} is removed.`]);
    return undefined;
  },
};

/** An address is given as it is, every other record by its fields. */
function fieldsOf({ input }: Call, from: number): Fields {
  const words = input.words(from);
  const [first] = words;
  const isAddress = words.length === 1 && first !== undefined && /^https?:\/\//.test(first);
  return isAddress ? { address: first } : readFields(input, words);
}

function showCreated({ input, screen }: Call, record: object, secret: string | undefined) {
  const file = input.text("secret-to");
  if (file === undefined || secret === undefined) {
    screen.result(record, () => recordLines(record));
    return undefined;
  }

  const { [secret]: text, ...rest } = record as Fields;
  // `wx`: a file that another could have made before could be read by them.
  writeFileSync(file, `${String(text)}\n`, { mode: 0o600, flag: "wx" });
  screen.result({ ...rest, secret_to: file }, () => recordLines({ ...rest, secret_to: file }));
  return undefined;
}
