import { html } from "../../../contract/html.ts";
import { CategoryInput, type OwnerCategory } from "../../../owner/catalog/categories.ts";
import { inStore } from "../../addresses.ts";
import { actionLink, badge, emptyList, table } from "../../frame/elements.ts";
import { wholeList } from "../../lists/whole-lists.ts";
import type { Screen } from "../../screen.ts";
import { type RecordKind, recordScreens } from "../record-screens.ts";
import { hostCatalog } from "./host-catalog.ts";

const categoryKind: RecordKind<OwnerCategory, typeof CategoryInput> = {
  path: "categories",
  section: "categories",
  subject: "category",
  actions: {
    create: "categories.create",
    update: "categories.update",
    delete: "categories.delete",
  },
  texts: { create: "category_create", delete: "category_delete_text" },
  schema: CategoryInput,
  titleOf: ({ name }) => name,

  async groups({ parts, store, language }, row) {
    const others = (await parts.owner.categories.list(store.id)).filter(({ id }) => id !== row?.id);
    const parents = [
      { value: "", label: language.say("parent_none") },
      ...others.map(({ id, name }) => ({ value: id, label: name })),
    ];
    return [
      {
        title: "group_shown",
        fields: [
          { name: "name", label: "name", kind: "text" },
          { name: "description", label: "description", kind: "area" },
          { name: "slug", label: "slug", hint: "slug_hint", kind: "text" },
          { name: "image_url", label: "image_url", kind: "text", type: "url" },
        ],
      },
      {
        title: "group_order",
        side: true,
        fields: [
          { name: "parent_id", label: "parent_id", kind: "choice", options: parents },
          { name: "position", label: "position", hint: "position_hint", kind: "number" },
          {
            name: "enabled",
            label: "category_enabled",
            hint: "category_enabled_hint",
            kind: "check",
          },
        ],
      },
    ];
  },
  fresh: () => ({ enabled: ["yes"] }),
  values: (row) => ({
    name: [row.name],
    description: [row.description ?? ""],
    slug: [row.slug],
    image_url: [row.image_url ?? ""],
    parent_id: [row.parent_id ?? ""],
    position: [String(row.position)],
    enabled: row.enabled ? ["yes"] : [],
  }),

  find: ({ parts, store }, id) => parts.owner.categories.retrieve(store.id, id),
  create: ({ parts, store }, input) => parts.owner.categories.create(store.id, input),
  update: ({ parts, store }, expected, input) =>
    parts.owner.categories.update(store.id, expected.id, input, { expected }),
  remove: ({ parts, store }, id) => parts.owner.categories.delete(store.id, id),
};

const listScreen: Screen = {
  path: "categories",
  section: "categories",
  action: null,

  async show(visit) {
    const { say } = visit.language;
    if (visit.parts.hasHostCatalog) return hostCatalog(visit, "section_categories");

    const all = await visit.parts.owner.categories.list(visit.store.id);
    const names = new Map(all.map(({ id, name }) => [id, name]));
    const create = actionLink(visit, "categories.create", {
      label: "category_create",
      address: inStore(visit, ["categories", "new"]),
      kind: "primary",
    });

    const { columns, rows: sorted } = wholeList(visit, all, {
      name: { label: say("name"), keyOf: ({ name }) => name },
      parent: {
        label: say("parent_id"),
        keyOf: ({ parent_id }) => names.get(parent_id ?? "") ?? null,
      },
      state: { label: say("state"), keyOf: ({ enabled }) => Number(!enabled) },
    });
    const rows = sorted.map(({ id, name, slug, parent_id, enabled }) => [
      html`<a href="${inStore(visit, ["categories", id])}">${name}</a><small>${slug}</small>`,
      names.get(parent_id ?? "") ?? "—",
      enabled ? badge("good", say("state_shown")) : badge("plain", say("state_hidden")),
    ]);
    return {
      title: say("section_categories"),
      primary: all.length === 0 ? null : create,
      body:
        all.length === 0
          ? emptyList(say("categories_empty_title"), say("categories_empty_text"), create)
          : table({ caption: say("section_categories"), columns, rows }),
    };
  },
};

export const categoryScreens: readonly Screen[] = [listScreen, ...recordScreens(categoryKind)];
