/**
 * The part of the script that searches all pages. What it looks through is loaded when the
 * reader goes to the search box.
 */
export const searchScript = `
const searchBox = document.querySelector(".search");
const contents = document.querySelector("nav .contents");
const results = document.getElementById("results");
const simple = (text) => text.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase();
const { index: indexAddress, folder, query } = searchBox.dataset;

let index = null;
const loadIndex = () => {
  index ??= fetch(indexAddress)
    .then((answer) => answer.json())
    .then((pages) => {
      for (const page of pages)
        for (const place of page.places)
          place.searched = simple(page.title + " " + place.title + " " + place.text);
      return pages;
    });
  index.catch(() => (index = null));
  return index;
};

const mostExcerpts = 40;
const plurals = new Intl.PluralRules(language);
const foundText = (count) =>
  count === 0 ? texts.none : texts.found[plurals.select(count)].replace("{count}", count);

// Shows where the words stand, so that a reader need not open each place to see why it was found.
const excerptOf = (whole, words) => {
  const letters = [...whole];
  // A letter stays at its place when its accent goes.
  const folded = letters.map((letter) => simple(letter)[0] ?? " ").join("");
  const [first] = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  if (first === undefined) return null;

  const from = first < 40 ? 0 : folded.indexOf(" ", first - 40) + 1;
  const end = folded.indexOf(" ", first + 80);
  const to = end < 0 ? letters.length : end;
  const excerpt = document.createElement("p");
  excerpt.className = "excerpt";
  excerpt.append(from > 0 ? "… " : "");
  for (let at = from; at < to; ) {
    const word = words.find((each) => folded.startsWith(each, at));
    const next = word ? at + word.length : at + 1;
    const text = letters.slice(at, next).join("");
    const mark = word ? document.createElement("mark") : null;
    mark?.append(text);
    excerpt.append(mark ?? text);
    at = next;
  }
  excerpt.append(to < letters.length ? " …" : "");
  excerpt.normalize();
  return excerpt;
};

const resultOf = (page, place, excerpt) => {
  const link = document.createElement("a");
  link.href = folder + "/" + page.slug + query + (place.id ? "#" + place.id : "");
  link.append(place.title);
  const item = document.createElement("li");
  item.append(link, ...(excerpt ? [excerpt] : []));
  return item;
};

const showResults = (pages, words) => {
  let found = 0;
  const shown = [];
  for (const page of pages) {
    const fitting = page.places.filter((place) =>
      words.every((word) => place.searched.includes(word)));
    if (fitting.length === 0) continue;
    const list = document.createElement("ul");
    for (const place of fitting) {
      found += 1;
      const excerpt = found <= mostExcerpts ? excerptOf(place.text, words) : null;
      list.append(resultOf(page, place, excerpt));
    }
    const group = document.createElement("p");
    group.className = "group";
    group.append(page.title);
    shown.push(group, list);
  }
  results.replaceChildren(...shown);
  return found;
};

const search = async () => {
  const box = document.getElementById("search");
  const typed = box.value;
  const words = simple(typed).split(/\\s+/).filter(Boolean);
  const said = document.getElementById("found");
  if (words.length === 0) {
    results.replaceChildren();
    contents.hidden = false;
    said.textContent = "";
    return;
  }
  try {
    const pages = await loadIndex();
    // The reader has typed on while the index was on its way.
    if (box.value !== typed) return;
    said.textContent = foundText(showResults(pages, words));
    contents.hidden = true;
  } catch {
    said.textContent = texts.no_index;
  }
};

searchBox.hidden = false;
searchBox.addEventListener("focusin", () => loadIndex().catch(() => {}));
searchBox.addEventListener("input", search);
searchBox.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
});
`.trim();
