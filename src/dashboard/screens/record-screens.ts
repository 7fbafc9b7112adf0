import type { z } from "zod";
import { type Html, html } from "../../contract/html.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import type { AuditSubjectType } from "../../rules/audit/audit-records.ts";
import { inStore } from "../addresses.ts";
import {
  type FormSpec,
  type FormState,
  freshForm,
  nothingYet,
  type Preparation,
  storedForm,
  typedForm,
} from "../forms/form.ts";
import type { Values } from "../forms/form-field.ts";
import { renderForm } from "../forms/render-form.ts";
import { actionLink, card, codeBox } from "../frame/elements.ts";
import type { TextName } from "../language.ts";
import type { Crumb, Screen, Section, StoreVisit, View } from "../screen.ts";
import { historyCard } from "../sentences/history.ts";
import { confirmScreen } from "./confirm.ts";

/** A kind of record that the owner creates, changes and deletes by forms. */
export interface RecordKind<Row extends { readonly id: string }, Schema extends z.ZodObject> {
  /** The list of the records is at this path. */
  readonly path: string;
  readonly section: Section;
  /** The audit log names the records by it. */
  readonly subject: AuditSubjectType;
  readonly actions: Readonly<Record<"create" | "update" | "delete", DashboardAction>>;
  readonly texts: { readonly create: TextName; readonly delete: TextName };
  titleOf(row: Row): string;
  groups(visit: StoreVisit, row: Row | null): Promise<FormSpec["groups"]>;
  readonly schema: Schema;
  values(row: Row, visit: StoreVisit): Values;
  /** Gives what the form of a new record holds at first. */
  fresh(visit: StoreVisit): Values;
  find(visit: StoreVisit, id: string): Promise<Row>;
  create(visit: StoreVisit, input: z.input<Schema>): Promise<Row>;
  /** Changes a record that is still as it was read. */
  update(visit: StoreVisit, row: Row, input: z.input<Schema>): Promise<unknown>;
  remove(visit: StoreVisit, id: string): Promise<void>;
  /** Works on what was typed before it is read. */
  readonly prepare?: Preparation;
  /** Shows more of the record below its form. */
  below?(visit: StoreVisit, row: Row): Promise<Html>;
}

const idOf = ({ params }: StoreVisit): string => params["id"] ?? "";

/**
 * Makes the screens of one kind of record: a new one, a stored one, and the
 * question before it is deleted.
 */
export function recordScreens<Row extends { readonly id: string }, Schema extends z.ZodObject>(
  kind: RecordKind<Row, Schema>,
): readonly Screen[] {
  const { path, section, actions } = kind;
  const specOf = async (visit: StoreVisit, row: Row | null): Promise<FormSpec<Schema>> => ({
    name: "save",
    action: row === null ? actions.create : actions.update,
    schema: kind.schema,
    groups: await kind.groups(visit, row),
    submit: "save",
  });
  const crumbs = (visit: StoreVisit): readonly Crumb[] => [
    { label: visit.language.say(`section_${section}`), address: inStore(visit, [path]) },
  ];

  const newView = async (visit: StoreVisit, state: FormState): Promise<View> => ({
    title: visit.language.say(kind.texts.create),
    crumbs: crumbs(visit),
    body: renderForm(visit, await specOf(visit, null), state),
  });
  const editView = async (visit: StoreVisit, row: Row, state: FormState): Promise<View> => {
    const { say } = visit.language;
    const below = (await kind.below?.(visit, row)) ?? null;
    const history = await historyCard(visit, { type: kind.subject, id: row.id });
    const remove = actionLink(visit, actions.delete, {
      label: "delete",
      address: inStore(visit, [path, row.id, "delete"]),
      kind: "danger",
    });
    return {
      title: kind.titleOf(row),
      crumbs: crumbs(visit),
      body: html`${renderForm(visit, await specOf(visit, row), state)}
${below}${card(
  say("more"),
  html`${codeBox(visit, { id: "record-id", label: say("id"), value: row.id })}
${remove === null ? null : html`<div class="actions">${remove}</div>`}`,
)}${history}`,
    };
  };

  const stored: Screen = {
    path: `${path}/{id}`,
    section,
    action: null,
    async show(visit) {
      const row = await kind.find(visit, idOf(visit));
      return editView(visit, row, storedForm(kind.values(row, visit)));
    },
    forms: {
      save: typedForm<Row, Schema>({
        action: actions.update,
        find: (visit) => kind.find(visit, idOf(visit)),
        spec: specOf,
        show: editView,
        stored: (visit, row) => kind.values(row, visit),
        prepare: kind.prepare,
        async work(visit, row, input) {
          await kind.update(visit, row, input);
          return { kind: "done", address: visit.path, message: "done_saved" };
        },
      }),
    },
  };
  return [creation(kind, { specOf, newView }), stored, deletion(kind, crumbs)];
}

interface Creation<Schema extends z.ZodObject> {
  specOf(visit: StoreVisit, row: null): Promise<FormSpec<Schema>>;
  newView(visit: StoreVisit, state: FormState): Promise<View>;
}

const creation = <Row extends { readonly id: string }, Schema extends z.ZodObject>(
  kind: RecordKind<Row, Schema>,
  { specOf, newView }: Creation<Schema>,
): Screen => ({
  path: `${kind.path}/new`,
  section: kind.section,
  action: kind.actions.create,
  show: (visit) => newView(visit, freshForm(kind.fresh(visit))),
  forms: {
    save: typedForm({
      action: kind.actions.create,
      find: nothingYet,
      spec: specOf,
      show: (visit, _row, state) => newView(visit, state),
      prepare: kind.prepare,
      async work(visit, _row, input) {
        await kind.create(visit, input);
        return { kind: "done", address: inStore(visit, [kind.path]), message: "done_created" };
      },
    }),
  },
});

const deletion = <Row extends { readonly id: string }, Schema extends z.ZodObject>(
  kind: RecordKind<Row, Schema>,
  crumbs: (visit: StoreVisit) => readonly Crumb[],
): Screen =>
  confirmScreen({
    path: `${kind.path}/{id}/delete`,
    section: kind.section,
    action: kind.actions.delete,
    async ask(visit) {
      const row = await kind.find(visit, idOf(visit));
      const name = kind.titleOf(row);
      const back = inStore(visit, [kind.path, row.id]);
      return {
        title: visit.language.say("delete_title", { name }),
        text: visit.language.say(kind.texts.delete),
        button: "delete",
        crumbs: [...crumbs(visit), { label: name, address: back }],
        back,
      };
    },
    async run(visit) {
      await kind.remove(visit, idOf(visit));
      return { kind: "done", address: inStore(visit, [kind.path]), message: "done_deleted" };
    },
  });
