import { type Html, html, raw } from "../../../../contract/html.ts";
import { inStore } from "../../../addresses.ts";
import { countText } from "../../../format.ts";
import { notice } from "../../../frame/elements.ts";
import type { StoreVisit, View } from "../../../screen.ts";
import type { ImportFile } from "./import-file.ts";
import { importHead } from "./import-form.ts";
import { type FilePlan, rowsOf, runFile } from "./plan.ts";
import { countsCard, fileForm, refusedButton } from "./preview.ts";

/** A list of the newest, which waits while there is nothing new. */
function newestOf<Item>() {
  let items: Item[] = [];
  let isEnded = false;
  let wake = (): void => {};
  return {
    put(item: Item): void {
      items = [item];
      wake();
    },
    end(): void {
      isEnded = true;
      wake();
    },
    async *read(): AsyncGenerator<Item> {
      for (;;) {
        const given = items;
        items = [];
        yield* given;
        if (items.length > 0) continue;
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/**
 * Imports a file, and shows how far it is while the page arrives: no script is needed. The work
 * goes on when nobody looks any more.
 */
export function runView(visit: StoreVisit, file: ImportFile, plan: FilePlan): View {
  const { language, request, parts } = visit;
  const { say } = language;
  const all = rowsOf(plan);
  const steps = newestOf<Html>();
  let done = 0;
  let last: Html = html``;

  const work = async (): Promise<void> => {
    try {
      const made = await runFile(visit, file, {
        dry_run: false,
        tell(rows) {
          done = rows;
          const text = say("import_progress", {
            done: countText(visit, rows),
            all: countText(visit, all),
          });
          steps.put(html`<p><progress value="${rows}" max="${all}" aria-label="${text}"></progress>
${text}</p>`);
        },
      });
      last = "fault" in made ? notice("bad", made.message) : await doneParts(visit, file, made);
    } catch (error) {
      parts.onError(error, "dashboard");
      last = notice("bad", say("import_broken", { done: countText(visit, done) }));
    } finally {
      steps.end();
    }
  };
  const working = work();
  request.waitUntil?.(working);

  return {
    ...importHead(visit),
    body: html`${raw('<div class="steps" role="status">')}<p>${say("import_running")}</p>`,
    parts: (async function* () {
      yield* steps.read();
      await working;
      yield html`${raw("</div>")}${last}`;
    })(),
  };
}

async function doneParts(visit: StoreVisit, file: ImportFile, made: FilePlan): Promise<Html> {
  const { say, sayCount } = visit.language;
  const list = inStore(visit, ["products"]);
  const links = html`<a class="button primary" href="${list}">${say("together_back")}</a>
<a class="button" href="${visit.path}">${say("import_other")}</a>`;
  const buttons = html`${links}${refusedButton(visit, made)}`;
  const form =
    made.refused.length === 0
      ? html`<div class="actions">${links}</div>`
      : await fileForm(visit, file, { mark: made.mark, buttons });
  return html`${notice("good", sayCount("import_done", made.created + made.updated))}
${countsCard(visit, made)}${form}`;
}
