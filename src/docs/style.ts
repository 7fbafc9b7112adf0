/** The style sheet of the pages. Its values come from the design tokens. */
export const style = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 6.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 400 var(--text-m)/1.6 var(--font); overflow-wrap: anywhere;
}
[hidden] { display: none !important; }
a { color: var(--brand-ink); text-underline-offset: .2em; }
/* The line stands below the underscores of the code, which it would hide. */
a:has(> code) { text-underline-offset: .4em; }
:focus-visible { outline: 3px solid var(--brand-edge); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: var(--space-4); top: var(--space-4); z-index: 2; background: var(--paper); }
.note { color: var(--soft); font-size: var(--text-s); }

header {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center;
  justify-content: space-between; gap: 0 var(--space-5); padding: var(--space-2) var(--space-4);
  border-bottom: 1px solid var(--line); background: var(--paper); font-size: var(--text-s);
}
header .links { display: flex; gap: var(--space-4); }
header .links a { padding: var(--space-1) 0; font-weight: 600; text-decoration: none; }
fieldset { display: flex; align-items: center; margin: 0; padding: 0; border: 0; }
legend { float: left; margin-right: var(--space-3); padding: 0; color: var(--soft); }
fieldset input { position: absolute; opacity: 0; }
fieldset label {
  padding: var(--space-1) var(--space-3); border: 1px solid var(--edge); cursor: pointer;
}
fieldset label:first-of-type { border-radius: 99px 0 0 99px; }
fieldset label:last-of-type { border-radius: 0 99px 99px 0; }
fieldset label + input + label { border-left: 0; }
fieldset :checked + label {
  border-color: var(--brand); background: var(--brand); color: var(--on-brand);
}
fieldset :focus-visible + label { outline: 3px solid var(--brand-edge); outline-offset: 2px; }
body:has(#language-curl:checked) :is(.lang-javascript, .lang-python),
body:has(#language-javascript:checked) :is(.lang-curl, .lang-python),
body:has(#language-python:checked) :is(.lang-curl, .lang-javascript) { display: none; }

nav {
  max-height: 15rem; padding: var(--space-4); overflow-y: auto;
  border-bottom: 1px solid var(--line); background: var(--back); font-size: var(--text-s);
}
nav ul { margin: 0; padding: 0; list-style: none; }
nav p.group { margin: var(--space-4) 0 var(--space-1); color: var(--soft); font-weight: 600; }
nav li a { display: block; padding: .2rem 0; color: var(--ink); text-decoration: none; }
nav a[aria-current] { color: var(--brand-ink); font-weight: 600; }
nav li ul {
  margin: 0 0 var(--space-2); padding-left: var(--space-3); border-left: 2px solid var(--line);
}
nav li a:hover { color: var(--brand-ink); text-decoration: underline; }
nav .excerpt { margin: 0 0 var(--space-2); color: var(--soft); line-height: 1.4; }
mark { padding: 0 .1em; border-radius: 2px; background: var(--warn-back); color: var(--warn); }
nav .search p { margin: var(--space-1) 0 0; min-height: 1.5em; }

main { min-width: 0; padding: var(--space-5) var(--space-4) var(--space-7); }
h1, h2, h3, h4 { line-height: 1.25; }
h1 { margin: 0 0 var(--space-4); font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: var(--space-6) 0 var(--space-3); font-size: var(--text-l); }
h3 { margin: var(--space-5) 0 var(--space-2); font-size: var(--text-m); }
article {
  margin-top: var(--space-6); padding-top: var(--space-4); border-top: 1px solid var(--line);
}
article > h2 { margin-top: 0; }
p, ul, ol, dl { max-width: 46rem; margin: 0 0 var(--space-3); }
ul, ol { padding-left: 1.25rem; }
li { margin-bottom: var(--space-1); }
dt { margin-top: var(--space-3); }
dd { margin: 0; }
dt > code { font-weight: 600; }
.guide > .sample { max-width: 46rem; }
.pages {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
  gap: 0 var(--space-6);
}
.pages h3 { margin-top: var(--space-5); }
.pages ul { padding: 0; list-style: none; }
.pages :target { background: var(--warn-back); }
dd dl { margin-left: .1rem; padding-left: var(--space-4); border-left: 2px solid var(--line); }
code, pre, textarea { font-family: var(--font-code); font-size: .875em; line-height: 1.55; }
:is(p, li, dd, td) code {
  padding: .05em .3em; border-radius: 4px; background: var(--back); color: var(--ink);
}
a code { color: inherit !important; }
.verb {
  padding: .1rem .4rem; border-radius: 4px; background: var(--good-back); color: var(--good);
  font: 600 var(--text-s)/1.5 var(--font-code);
}
.verb.post { background: var(--warn-back); color: var(--warn); }
.status { font-family: var(--font-code); font-weight: 600; }
.note-box {
  max-width: 46rem; margin: 0 0 var(--space-4); padding: var(--space-3) var(--space-4);
  border-left: 3px solid var(--brand-edge); border-radius: 4px; background: var(--back);
}
.note-box p { margin: 0; }
.note-box code { background: none; padding: 0; }
table { max-width: 46rem; margin-bottom: var(--space-4); border-collapse: collapse; }
th, td {
  padding: var(--space-2) var(--space-4) var(--space-2) 0; border-bottom: 1px solid var(--line);
  text-align: left; vertical-align: top;
}
th { color: var(--soft); font-size: var(--text-s); font-weight: 600; }

.sample {
  margin: 0 0 var(--space-4); border: 1px solid var(--line); border-radius: var(--radius-s);
  background: var(--back); overflow: clip;
}
.sample figcaption {
  display: flex; align-items: center; justify-content: space-between; min-height: 2.5rem;
  padding: 0 var(--space-2) 0 var(--space-4); border-bottom: 1px solid var(--line);
  color: var(--soft); font-size: var(--text-s);
}
pre {
  margin: 0; padding: var(--space-3) var(--space-4); white-space: pre-wrap; tab-size: 2;
}
.copy, .try button {
  padding: var(--space-1) var(--space-3); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: var(--ink);
  font: 600 var(--text-s)/1.5 var(--font); cursor: pointer;
}
summary { padding: var(--space-2) 0; color: var(--brand-ink); font-weight: 600; cursor: pointer; }
.try {
  margin-bottom: var(--space-4); padding: 0 var(--space-4);
  border: 1px solid var(--edge); border-radius: var(--radius-s);
}
.try label { display: block; margin-top: var(--space-3); font-size: var(--text-s); }
.try label:first-child { margin-top: 0; }
.try input, .try textarea, .search input {
  display: block; width: 100%; padding: var(--space-2) var(--space-3); resize: vertical;
  border: 1px solid var(--edge); border-radius: var(--radius-s);
  background: var(--paper); color: var(--ink); font-size: 1rem;
}
.try input { font-family: var(--font-code); }
.try button {
  margin: var(--space-4) 0; padding: var(--space-2) var(--space-5);
  border-color: var(--brand); background: var(--brand); color: var(--on-brand);
}
.try-status { font-weight: 600; }
.try-answer { margin-bottom: var(--space-4); padding: var(--space-3); background: var(--back); }

@media (max-width: 63.99rem) { nav:has(#results > *) { max-height: 75vh; } }
@media (min-width: 64rem) {
  html { scroll-padding-top: 4.5rem; }
  body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); align-items: start; }
  header { grid-column: 1 / -1; padding-inline: var(--space-5); }
  nav {
    position: sticky; top: 3.1rem; height: calc(100vh - 3.1rem); max-height: none;
    padding: var(--space-4) var(--space-5) var(--space-6);
    border-right: 1px solid var(--line); border-bottom: 0;
  }
  main { max-width: 84rem; padding: var(--space-6) var(--space-6) var(--space-7); }
  td:first-child code { overflow-wrap: normal; white-space: nowrap; }
}
@media (min-width: 75rem) {
  /* Text and, beside it, its samples: a sample of a guide stands beside the text before it. */
  article, .guide {
    display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 var(--space-6);
    align-items: start;
  }
  article > h2 { grid-column: 1 / -1; }
  .beside { position: sticky; top: 4.5rem; }
  .guide > * { grid-column: 1; }
  .guide > .sample { grid-column: 2; }
}
@media print { header, nav, .copy, .try { display: none; } }
`.trim();
