import type { z } from "zod";
import { isApiError } from "../../contract/errors.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import { explain } from "../frame/explain.ts";
import type { TextName } from "../language.ts";
import type { FormResult, ScreenForm, StoreVisit, View } from "../screen.ts";
import { type Merged, mergeEdits, withMarks } from "./edit-marks.ts";
import { type Field, firstOf, readField, type Values } from "./form-field.ts";

/** A form that is made from the schema of the call that it leads to. */
export interface FormSpec<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly action: DashboardAction;
  readonly schema: Schema;
  readonly groups: readonly {
    readonly title: TextName | null;
    /** Whether the group stands beside the others where the page is wide. */
    readonly side?: boolean;
    readonly fields: readonly Field[];
  }[];
  readonly submit: TextName;
}

/** The values of the fields, and says what is wrong with them. */
export interface FormState {
  readonly values: Values;
  readonly faults: ReadonlyMap<string, string>;
  /** What is wrong with the form as a whole. */
  readonly notice: string | null;
}

export const freshForm = (values: Values): FormState => ({
  values,
  faults: new Map(),
  notice: null,
});

/**
 * Makes the form of a stored record. The form carries marks of the stored values, so
 * that a save can tell whether somebody else has changed them.
 */
export const storedForm = (values: Values): FormState => freshForm(withMarks(values));

/**
 * Gives every value of every field, as it was typed. It takes one pass, because a
 * form may have very many fields.
 */
function typedValues(fields: URLSearchParams): Values {
  const values = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}

/** Says whether the call needs the field. */
export const isRequired = (schema: z.ZodObject, name: string): boolean =>
  schema.shape[name]?.safeParse(undefined).success === false;

interface TypedForm<Row, Schema extends z.ZodObject> {
  readonly action: DashboardAction;
  readonly isQuestion?: boolean;
  /** Reads what the form is about. Use `nothingYet` for a form that makes something new. */
  find(visit: StoreVisit): Promise<Row>;
  spec(visit: StoreVisit, row: Row): FormSpec<Schema> | Promise<FormSpec<Schema>>;
  show(visit: StoreVisit, row: Row, state: FormState): View | Promise<View>;
  /**
   * Gives what the form of the stored record holds. A save that would undo what
   * someone else has saved meanwhile is then not done: the form is shown again with
   * both.
   */
  stored?(visit: StoreVisit, row: Row): Values;
  /** Works on the file of the form first. Its values take the place of the typed ones. */
  readonly prepare?: Preparation | undefined;
  /**
   * Does what the form asks for. A change of a stored record is made with the row as
   * `expected`: a `precondition_failed` starts the comparison anew.
   */
  work(visit: StoreVisit, row: Row, input: z.input<Schema>, values: Values): Promise<FormResult>;
}

export interface Prepared {
  readonly values: Values;
  readonly faults: ReadonlyMap<string, string>;
  /** Whether the form is only shown again as it is now, and nothing is saved. */
  readonly isOnlyShown?: boolean;
}

export type Preparation = (visit: StoreVisit, values: Values) => Promise<Prepared>;

/** Gives null as the row of a form that makes something new. */
export const nothingYet = async (): Promise<null> => null;

/** Makes a form of a screen. What was typed into the form is shown again after a mistake. */
export const typedForm = <Row, Schema extends z.ZodObject>(
  form: TypedForm<Row, Schema>,
): ScreenForm => ({
  action: form.action,
  isQuestion: form.isQuestion ?? false,
  send: async (visit, fields) => sendForm(visit, form, fields),
  again: async (visit, fields) => {
    const typed = typedValues(fields);
    const { values } = (await form.prepare?.(visit, typed)) ?? { values: typed };
    return form.show(visit, await form.find(visit), freshForm(values));
  },
});

/**
 * Reads a form and does its work; what is wrong is shown beside its field. When someone
 * else saves the record between the reading of it and the work, the form is compared
 * with what they have saved, and so on.
 */
async function sendForm<Row, Schema extends z.ZodObject>(
  visit: StoreVisit,
  form: TypedForm<Row, Schema>,
  fields: URLSearchParams,
): Promise<FormResult> {
  let row = await form.find(visit);
  const typed = typedValues(fields);
  const none: Prepared = { values: typed, faults: new Map() };
  const prepared = (await form.prepare?.(visit, typed)) ?? none;

  for (;;) {
    const result = await saveForm(visit, form, row, prepared);
    if (result !== "changed") return result;
    row = await form.find(visit);
  }
}

async function saveForm<Row, Schema extends z.ZodObject>(
  visit: StoreVisit,
  form: TypedForm<Row, Schema>,
  row: Row,
  prepared: Prepared,
): Promise<FormResult | "changed"> {
  const { values } = prepared;
  const spec = await form.spec(visit, row);
  const { input, faults: misread } = readForm(visit, spec, values);
  const faults = new Map([...misread, ...prepared.faults]);
  const refuse = async (state: Partial<FormState>, status = 422): Promise<FormResult> => ({
    kind: "view",
    status,
    view: await form.show(visit, row, { values, faults, notice: null, ...state }),
  });

  if (prepared.isOnlyShown) return refuse({ faults: prepared.faults }, 200);

  const stored = form.stored?.(visit, row);
  const merged = stored ? mergeEdits(values, stored) : null;
  if (stored && merged) {
    const all = new Map([...faults, ...contestedFaults(visit, spec, stored, merged)]);
    const notice = visit.language.say("form_changed");
    return refuse({ values: merged.values, faults: all, notice }, 409);
  }
  if (faults.size > 0) return refuse({});

  try {
    // The owner's call checks it by the same schema, and refuses what does not fit.
    return await form.work(visit, row, input as z.input<Schema>, values);
  } catch (error) {
    if (isApiError(error) && error.code === "precondition_failed") return "changed";
    if (!isApiError(error) || !refusals.has(error.code)) throw error;
    const field = fieldNamed(spec, error.param);
    // The record itself was deleted after it was read.
    if (error.code === "resource_not_found" && field === null && row !== null) throw error;
    const text = explain(visit.language, error);
    return refuse(field === null ? { notice: text } : { faults: new Map([[field, text]]) });
  }
}

/** Says beside each field that two people have changed what the other one has made of it. */
function contestedFaults(
  { language }: StoreVisit,
  { groups }: FormSpec,
  stored: Values,
  { contested }: Merged,
): readonly (readonly [name: string, fault: string])[] {
  return groups
    .flatMap(({ fields }) => fields)
    .filter(({ name }) => contested.has(name))
    .map((field) => {
      const shown = shownValue(field, firstOf(stored, field.name));
      const text = shown === "" ? "fault_contested" : "fault_contested_by";
      return [field.name, language.say(text, { value: shown })] as const;
    });
}

const textKinds: ReadonlySet<string> = new Set(["text", "area", "lines", "amount", "number"]);

/** Gives a value as the form shows it, or an empty text when one line cannot show it. */
function shownValue(field: Field, value: string): string {
  if (textKinds.has(field.kind)) return value;
  if (field.kind !== "choice") return "";
  return field.options.find((option) => option.value === value)?.label ?? "";
}

/** The reader of a form can mend these errors, and no others. */
const refusals: ReadonlySet<string> = new Set([
  "parameter_invalid",
  "parameter_missing",
  "resource_not_found",
  "invalid_origin",
  "invalid_return_url",
  "endpoint_url_not_allowed",
  "invalid_transition",
  "refund_exceeds_balance",
  "parameter_conflict",
  "gateway_error",
  "invalid_option",
]);

/** `variables[2].key` is about the field `variables`, and `promotion.x` about its own field. */
function fieldNamed(spec: FormSpec, param: string | null): string | null {
  const names = spec.groups.flatMap(({ fields }) => fields.map(({ name }) => name));
  const [first = ""] = (param ?? "").split(/[.[]/, 1);
  return names.find((name) => name === param) ?? names.find((name) => name === first) ?? null;
}

/** Reads the fields of a form, and says what is wrong with them. */
export function readForm(
  { language, store }: StoreVisit,
  { schema, groups }: FormSpec,
  values: Values,
): { readonly input: Record<string, unknown>; readonly faults: Map<string, string> } {
  const input: Record<string, unknown> = {};
  const faults = new Map<string, string>();

  for (const field of groups.flatMap(({ fields }) => fields)) {
    const read = readField(field, values, { locale: language.locale, timezone: store.timezone });
    if ("fault" in read) {
      faults.set(field.name, language.say(read.fault));
      continue;
    }
    if (read.value !== null) input[field.name] = read.value;
    else if (isRequired(schema, field.name)) faults.set(field.name, language.say("fault_missing"));
    // An emptied field empties what is stored, where that may be empty.
    else if (schema.shape[field.name]?.safeParse(null).success) input[field.name] = null;
  }
  return { input, faults };
}
