import type { CommandRow, OptionRow } from "../../frame/command.ts";
import { paging, secretTo } from "../../frame/shared-options.ts";
import { exampleAddresses } from "./addresses.ts";
import { endpointRows } from "./endpoint-rows.ts";
import type { ResourceName } from "./resources.ts";
import type { Action } from "./run-resource.ts";

const from: OptionRow = { flags: "--from <file>", text: "the fields as a JSON object; - is stdin" };

interface Kind {
  readonly name: ResourceName;
  readonly one: string;
  readonly many: string;
  /** A key and an endpoint are of one mode; the other records are of both. */
  readonly about: CommandRow["about"];
  readonly actions: readonly Action[];
  /** The fields of an example. */
  readonly fields: string;
  readonly id: string;
  /** What names a record beside its id. */
  readonly or?: string;
}

const kinds: readonly Kind[] = [
  {
    name: "stores",
    one: "store",
    many: "stores",
    about: "store and both modes",
    actions: ["list", "show", "create", "update"],
    fields: "name=Armazém currency=BRL headless_enabled:=true",
    id: "",
  },
  {
    name: "products",
    one: "product",
    many: "products",
    about: "store and both modes",
    actions: ["list", "show", "create", "update", "remove"],
    fields: "name=Coffee price:=3450 currency=BRL",
    id: "prod_…",
    or: "slug",
  },
  {
    name: "keys",
    one: "API key",
    many: "API keys",
    about: "store",
    actions: ["list", "show", "create", "remove"],
    fields: "kind=secret --secret-to key.txt",
    id: "key_…",
  },
  {
    name: "origins",
    one: "origin of browser calls",
    many: "origins of browser calls",
    about: "store and both modes",
    actions: ["list", "create", "remove"],
    fields: exampleAddresses.origins,
    id: exampleAddresses.origins,
  },
  {
    name: "return-urls",
    one: "return URL",
    many: "return URLs",
    about: "store and both modes",
    actions: ["list", "create", "remove"],
    fields: exampleAddresses["return-urls"],
    id: exampleAddresses["return-urls"],
  },
  {
    name: "endpoints",
    one: "webhook endpoint",
    many: "webhook endpoints",
    about: "store",
    actions: ["list", "show", "create", "update", "remove"],
    fields: "url=https://shop.example.com/hook --secret-to hook.txt",
    id: "we_…",
  },
  {
    name: "coupons",
    one: "coupon",
    many: "coupons",
    about: "store and both modes",
    actions: ["list", "show", "create", "update", "remove"],
    fields: "code=TEN discount_type=percentage discount_amount:=10",
    id: "cpn_…",
    or: "code",
  },
];

const words = { list: "List", show: "Show", create: "Create", update: "Change", remove: "Delete" };

/** The owner's records: what they are called, and which actions they have. */
export const shopRows: readonly CommandRow[] = kinds.flatMap((kind) => [
  ...kind.actions.map((action) => rowOf(kind, action)),
  ...(kind.name === "endpoints" ? endpointRows : []),
]);

export const shopGroups: Readonly<Record<string, string>> = Object.fromEntries(
  kinds.map(({ name, many }) => [name, `Manage ${many}.`]),
);

function rowOf(kind: Kind, action: Action): CommandRow {
  const verb = verbOf(kind.name, action);
  const isKey = kind.name === "keys";
  const word = isKey && action === "remove" ? "Revoke" : words[action];
  const what =
    action === "list" ? kind.many : `${/^[aeiouA]/.test(kind.one) ? "an" : "a"} ${kind.one}`;
  const aboutNone = kind.name === "stores" && (action === "list" || action === "create");
  const isAddress = kind.name === "origins" || kind.name === "return-urls";
  const idName = isAddress ? "<address>" : "<id>";
  const named = action === "show" || action === "update" || action === "remove";
  const takesFields = action === "create" || action === "update";

  const ids = named && kind.id !== "" ? [{ name: idName, text: idText(kind), params: ["id"] }] : [];
  const fields =
    takesFields && isAddress
      ? [{ name: "<address>", text: `the ${kind.one}` }]
      : takesFields
        ? [{ name: "[fields...]", text: "name=text, or name:=JSON" }]
        : [];
  const example = [`vitrine ${kind.name} ${verb}`, named && kind.id, takesFields && kind.fields];
  return {
    name: `${kind.name} ${verb}`,
    summary: `${word} ${what}.`,
    ways: ["config"],
    about: aboutNone ? "deployment" : kind.about,
    ...(action !== "list" && action !== "show" && { changes: `${word} ${what}` }),
    arguments: [...ids, ...fields],
    options: [
      ...(action === "list" ? paging : []),
      ...(takesFields && !isAddress ? [from] : []),
      ...(action === "create" && (isKey || kind.name === "endpoints") ? [secretTo] : []),
    ],
    example: example.filter(Boolean).join(" "),
    load: async () => ({ run: (await import("./run-resource.ts")).runnerOf(kind.name, action) }),
  };
}

function idText({ one, or }: Kind): string {
  return or === undefined ? `the ${one}` : `the ${one}, by its id or ${or}`;
}

function verbOf(name: ResourceName, action: Action): string {
  if (name === "keys" && action === "remove") return "revoke";
  const isAddress = name === "origins" || name === "return-urls";
  if (isAddress && action === "create") return "add";
  if (action === "remove") return isAddress ? "remove" : "delete";
  return action;
}
