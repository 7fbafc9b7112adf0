import type { Category, Client } from "vitrine/client";
import { el, make } from "./dom.ts";
import { type Counts, countCategories, counted, type Page } from "./facets.ts";
import { hideProblem, showProblem } from "./problem.ts";
import { productCard } from "./product.ts";
import { say } from "./say.ts";

const pageSize = 24;
const maxShown = 100;

const sorts = ["price", "-price", "newest"] as const;

/** What is counted of all pages of a list. */
const facets = "category,price,available";

type Named = Pick<Category, "id" | "name" | "slug">;

/** The address of the page holds this choice. */
interface Filter {
  readonly search: string;
  readonly category: string;
  /** Empty for the shop's own order, or with a search the best match first. */
  readonly sort: (typeof sorts)[number] | "";
}

/** Starts the list of products. The address keeps the choice, for "back" and reload. */
export function startCatalog(api: Client): void {
  const search = el<HTMLInputElement>("search");
  const order = el<HTMLSelectElement>("sort");
  let cursor: string | null = null;
  let found: Page | null = null;
  let counts: Counts = null;
  let asked = new AbortController();
  let suggesting = new AbortController();
  let typing: ReturnType<typeof setTimeout> | undefined;

  const load = async (more: boolean, limit = pageSize): Promise<void> => {
    // A slow answer to an earlier search must not replace the answer to the last one.
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const query = { limit, group: "first", ...wanted() } as const;
      const page = await api.listProducts(
        more && cursor ? { ...query, starting_after: cursor } : { ...query, facets },
        { signal },
      );
      if (!more) found = page;
      if (!more) el("products").replaceChildren();
      el("products").append(...page.data.map(productCard));
      cursor = page.next_cursor;
      el("more").hidden = !page.has_more;
      const shown = el("products").children.length;
      el("shown").textContent = counted(shown, page, found ?? page);
      history.replaceState({ shown }, "");
      hideProblem("problem");
      if (!more) await countAll(signal);
    } catch (error) {
      if (!signal.aborted) showProblem("problem", error, () => load(more, limit));
    }
  };

  /** Counts what each category has of the search, whichever of them is chosen. */
  const countAll = async (signal: AbortSignal): Promise<void> => {
    const { category, ...filters } = wanted();
    const all =
      category === undefined
        ? found
        : await api.listProducts(
            { limit: 1, group: "first", ...filters, facets: "category" },
            { signal },
          );
    counts = all?.facets?.category ?? null;
    countCategories(counts);
  };

  const markAddress = (): void => {
    const { search: text, category, sort } = readAddress();
    if (document.activeElement !== search) search.value = text;
    order.value = sort;
    for (const button of el("categories").querySelectorAll<HTMLElement>("button"))
      button.setAttribute("aria-pressed", String(button.dataset["slug"] === category));
  };

  /** Replaces the address while a search is typed, so that "back" does not go letter by letter. */
  const show = (filter: Filter, keep: boolean): void => {
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
    const address = query.size > 0 ? `/?${query}` : "/";
    history[keep ? "pushState" : "replaceState"](null, "", address);
    markAddress();
    void load(false);
  };

  const addCategories = async (): Promise<void> => {
    const buttons = [categoryButton({ id: "", name: say("all"), slug: "" })];
    try {
      for await (const category of api.listCategories()) buttons.push(categoryButton(category));
      el("categories").replaceChildren(...buttons);
      markAddress();
      countCategories(counts);
    } catch (error) {
      showProblem("problem", error, addCategories);
    }
  };
  const categoryButton = ({ id, name, slug }: Named): HTMLElement => {
    const button = make("button", { type: "button", className: "button" }, make("span", {}, name));
    Object.assign(button.dataset, { id, slug });
    if (id !== "") button.append(make("small", { className: "found" }));
    button.onclick = () => show({ ...readAddress(), category: slug }, true);
    return button;
  };

  /** Offers names below the field. The list of products tells of a failure, this does not. */
  const suggest = async (q: string): Promise<void> => {
    suggesting.abort();
    suggesting = new AbortController();
    const { signal } = suggesting;
    const found = q === "" ? null : await api.listSuggestions({ q }, { signal }).catch(() => null);
    if (signal.aborted) return;

    const options = (found?.data ?? []).map(({ name }) => make("option", { value: name }));
    el("suggestions").replaceChildren(...options);
  };

  search.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      const before = readAddress();
      const text = search.value.trim();
      show({ ...before, search: text }, before.search === "");
      void suggest(text);
    }, 250);
  };
  order.onchange = () => show({ ...readAddress(), sort: readSort(order.value) }, true);
  el("filters").onsubmit = (event) => event.preventDefault();
  el("more").onclick = () => void load(true);
  const restore = (): void => {
    search.blur();
    markAddress();
    const { shown = pageSize } = (history.state ?? {}) as { shown?: number };
    void load(false, Math.min(maxShown, Math.max(pageSize, shown)));
  };
  addEventListener("popstate", restore);
  void addCategories();
  restore();
}

function readAddress(): Filter {
  const query = new URLSearchParams(location.search);
  const read = (name: string): string => query.get(name) ?? "";
  return { search: read("search"), category: read("category"), sort: readSort(read("sort")) };
}

const readSort = (text: string): Filter["sort"] => sorts.find((sort) => sort === text) ?? "";

function wanted() {
  const { search, category, sort } = readAddress();
  return { ...(search && { search }), ...(category && { category }), ...(sort && { sort }) };
}
