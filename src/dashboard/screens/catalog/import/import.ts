import { conflict } from "../../../forms/conflict.ts";
import type { TextName } from "../../../language.ts";
import type { FormResult, Screen, StoreVisit, View } from "../../../screen.ts";
import { uploadView } from "./import-form.ts";
import { maxImportForm } from "./import-limits.ts";

// The readers of files are loaded with the first file. This screen is loaded with all others.

const refusedView = (
  visit: StoreVisit,
  fields: URLSearchParams,
  fault: TextName,
  reason = "",
): FormResult => ({
  kind: "view",
  status: 422,
  view: { ...uploadView(visit, fields), alert: visit.language.say(fault, { reason }) },
});

/** Reads the file of a form and makes its plan, or says what is wrong with it. */
async function planned(visit: StoreVisit, fields: URLSearchParams) {
  const [{ fileIn }, { runFile }] = await Promise.all([
    import("./import-file.ts"),
    import("./plan.ts"),
  ]);
  const file = await fileIn(visit, fields);
  if (typeof file === "string") return refusedView(visit, fields, file);
  const plan = await runFile(visit, file, { dry_run: true });
  if ("fault" in plan) {
    const { reasonOf } = await import("./reasons.ts");
    const reason = reasonOf(visit.language, plan.message);
    return refusedView(visit, fields, `import_fault_${plan.fault}`, reason);
  }
  return { file, plan };
}

async function preview(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const found = await planned(visit, fields);
  if ("kind" in found) return found;
  const { previewView } = await import("./preview.ts");
  return {
    kind: "view",
    status: 200,
    view: await previewView(visit, found.file, found.plan),
  };
}

/** Does what the preview has shown. Shows another one where the store has changed since. */
async function apply(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const found = await planned(visit, fields);
  if ("kind" in found) return found;
  const { file, plan } = found;
  if (plan.mark !== fields.get("seen")) {
    const { previewView } = await import("./preview.ts");
    return conflict(await previewView(visit, file, plan), visit.language.say("import_changed"));
  }
  const { runView } = await import("./run.ts");
  return { kind: "view", status: 200, view: runView(visit, file, plan) };
}

async function refused(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const found = await planned(visit, fields);
  if ("kind" in found) return found;
  const { refusedFile } = await import("./refused-file.ts");
  return { kind: "file", file: await refusedFile(visit, found.file, found.plan.refused) };
}

/** Shows the plan again whose form was too old. */
async function again(visit: StoreVisit, fields: URLSearchParams): Promise<View> {
  const result = await preview(visit, fields);
  return result.kind === "view" ? result.view : uploadView(visit);
}

const action = "products.import";

/** Imports products from a file: shows what it does, and does it. */
export const importScreen: Screen = {
  path: "products/import",
  section: "products",
  action,
  mostFileBytes: () => maxImportForm,
  show: async (visit) => uploadView(visit),
  forms: {
    preview: { action, isQuestion: true, send: preview },
    apply: { action, send: apply, again },
    refused: { action, isQuestion: true, send: refused },
  },
};
