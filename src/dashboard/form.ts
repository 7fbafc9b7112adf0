import type { z } from "zod";
import { isApiError } from "../contract/errors.ts";
import type { DashboardAction } from "../owner/actions.ts";
import { explain } from "./explain.ts";
import { type Field, readField, type Values } from "./form-field.ts";
import type { TextName } from "./language.ts";
import type { FormResult, ScreenForm, StoreVisit, View } from "./screen.ts";

/** A form that is made from the schema of the call that it leads to. */
export interface FormSpec<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly action: DashboardAction;
  readonly schema: Schema;
  readonly groups: readonly {
    readonly title: TextName | null;
    /** True: it stands beside the others where the page is wide. */
    readonly side?: boolean;
    readonly fields: readonly Field[];
  }[];
  readonly submit: TextName;
}

/** What the fields hold, and what is wrong with them. */
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

/** Every value of every field, as it was typed. */
const typedValues = (fields: URLSearchParams): Values =>
  Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));

/** True when the call needs the field. */
export const isRequired = (schema: z.ZodObject, name: string): boolean =>
  schema.shape[name]?.safeParse(undefined).success === false;

interface TypedForm<Row, Schema extends z.ZodObject> {
  readonly action: DashboardAction;
  readonly isQuestion?: boolean;
  /** Reads what the form is about. Use `nothingYet` for a form that makes something new. */
  find(visit: StoreVisit): Promise<Row>;
  spec(visit: StoreVisit, row: Row): FormSpec<Schema> | Promise<FormSpec<Schema>>;
  show(visit: StoreVisit, row: Row, state: FormState): View | Promise<View>;
  /** Works on the file of the form first. Its values take the place of the typed ones. */
  prepare?(visit: StoreVisit, values: Values): Promise<Prepared>;
  /** Does what the form asks for. */
  work(visit: StoreVisit, row: Row, input: z.input<Schema>, values: Values): Promise<FormResult>;
}

interface Prepared {
  readonly values: Values;
  readonly faults: ReadonlyMap<string, string>;
}

/** Gives null as the row of a form that makes something new. */
export const nothingYet = async (): Promise<null> => null;

/** Makes a form of a screen. What was typed into the form is shown again after a mistake. */
export const typedForm = <Row, Schema extends z.ZodObject>(
  form: TypedForm<Row, Schema>,
): ScreenForm => ({
  action: form.action,
  isQuestion: form.isQuestion ?? false,
  send: async (visit, fields) => sendForm(visit, form, fields),
  again: async (visit, fields) =>
    form.show(visit, await form.find(visit), freshForm(typedValues(fields))),
});

/** Reads a form and does its work; what is wrong is shown beside its field. */
async function sendForm<Row, Schema extends z.ZodObject>(
  visit: StoreVisit,
  form: TypedForm<Row, Schema>,
  fields: URLSearchParams,
): Promise<FormResult> {
  const row = await form.find(visit);
  const spec = await form.spec(visit, row);
  const typed = typedValues(fields);
  const prepared = await form.prepare?.(visit, typed);
  const values = prepared?.values ?? typed;
  const { input, faults: misread } = readForm(visit, spec, values);
  const faults = new Map([...misread, ...(prepared?.faults ?? [])]);
  const refuse = async (state: Partial<FormState>): Promise<FormResult> => ({
    kind: "view",
    status: 422,
    view: await form.show(visit, row, { values, faults, notice: null, ...state }),
  });
  if (faults.size > 0) return refuse({});

  try {
    // The owner's call checks it by the same schema, and refuses what does not fit.
    return await form.work(visit, row, input as z.input<Schema>, values);
  } catch (error) {
    if (!isApiError(error) || !refusals.has(error.code)) throw error;
    const field = fieldNamed(spec, error.param);
    const text = explain(visit.language, error);
    return refuse(field === null ? { notice: text } : { faults: new Map([[field, text]]) });
  }
}

/** What the reader of a form can mend; any other error is not theirs. */
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

function readForm(
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
