/** The style sheet of the checkout page. Its values come from the design tokens. */
export const style = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 400 var(--text-m)/1.5 var(--font); overflow-wrap: anywhere;
}
h1, h2, p, ul, ol, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; }
ul { list-style: none; }
img, svg { display: block; max-width: 100%; }
a { color: var(--brand-ink); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--brand-edge); outline-offset: 2px; border-radius: 4px; }
.soft, small { color: var(--soft); font-size: var(--text-s); }

.test-mode {
  padding: var(--space-2) var(--space-4); background: var(--warn-back); color: var(--warn);
  font-size: var(--text-s); font-weight: 600; text-align: center;
}
.page { display: flex; flex-direction: column; min-height: 100vh; }
.summary, main, footer { width: 100%; padding: var(--space-5) var(--space-4); }
.summary { background: var(--back); border-bottom: 1px solid var(--line); }
.inner { width: 100%; max-width: 30rem; margin: 0 auto; }
main { flex: 1; }
main .inner > * + *, form:not(.actions) > * + * { margin-top: var(--space-5); }
form > [type="hidden"] + * { margin-top: 0; }
footer { padding-block: var(--space-4); }
footer p + p, footer p + ul { margin-top: var(--space-1); }
footer ul { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); }
footer a {
  display: inline-block; padding: var(--space-1) 0; color: var(--soft); font-size: var(--text-s);
}

.store {
  display: inline-flex; align-items: center; gap: var(--space-2); min-height: 2.75rem;
  color: inherit; font-weight: 600; text-decoration: none;
}
a.store:hover { text-decoration: underline; }
.store img { width: 2rem; height: 2rem; object-fit: contain; border-radius: 6px; }
.store .icon { color: var(--soft); }
h1 { margin-top: var(--space-3); color: var(--soft); font-size: var(--text-m); font-weight: 500; }
.amount {
  font-size: var(--text-xl); font-weight: 700; line-height: 1.15; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums;
}
.lines { margin-top: var(--space-4); }
.lines summary {
  padding: var(--space-1) 0; color: var(--soft); font-size: var(--text-s); cursor: pointer;
}
.lines li { display: flex; align-items: center; gap: var(--space-3); padding: var(--space-2) 0; }
.lines img {
  width: 3rem; height: 3rem; flex: none; object-fit: cover;
  border-radius: var(--radius-s); background: var(--line);
}
.lines .what { flex: 1; min-width: 0; font-weight: 500; }
.lines .what small { display: block; font-weight: 400; }
.price, .sums dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.sums {
  margin-top: var(--space-2); padding-top: var(--space-3); border-top: 1px solid var(--line);
  display: grid; grid-template-columns: 1fr auto; gap: var(--space-1) var(--space-4);
}
.sums dd { text-align: right; }
.sums .whole { font-weight: 700; }

h2, legend { font-size: var(--text-m); font-weight: 700; line-height: 1.3; }
.fields > * + * { margin-top: var(--space-4); }
.fields h2 { margin-bottom: calc(-1 * var(--space-1)); }
label { display: block; font-size: var(--text-s); font-weight: 500; }
label .soft { font-weight: 400; }
input[type="text"], input[type="email"], select, textarea {
  display: block; width: 100%; min-height: var(--control); margin-top: var(--space-1);
  padding: var(--space-2) var(--space-3); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: inherit;
  font: inherit; font-size: max(16px, 1rem);
}
textarea {
  font-family: var(--font-code); font-size: var(--text-s); line-height: 1.5; resize: none;
}
[aria-invalid="true"] { border: 2px solid var(--bad); }
.error {
  margin-top: var(--space-1); color: var(--bad); font-size: var(--text-s); font-weight: 500;
}

.coupon { display: flex; align-items: end; gap: var(--space-2); }
.coupon > :first-child { flex: 1; min-width: 0; align-self: center; }
.coupon .button { width: auto; }
.enter { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.choices {
  margin-top: var(--space-3); border: 1px solid var(--edge); border-radius: var(--radius-m);
  overflow: clip;
}
.choice {
  display: flex; align-items: center; gap: var(--space-3); min-height: 3.5rem;
  padding: var(--space-3) var(--space-4); font-size: var(--text-m); cursor: pointer;
}
.choice + .choice { border-top: 1px solid var(--line); }
.choice:has(:checked) { background: var(--back); box-shadow: inset 3px 0 0 var(--brand-edge); }
.choice:has(:focus-visible) { outline: 3px solid var(--brand-edge); outline-offset: -3px; }
.choice input {
  width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--brand-ink);
}
.choice input:focus-visible { outline: none; }
.choice img { width: 2rem; height: 1.5rem; object-fit: contain; }
.choice small { display: block; font-weight: 400; }
.icon { width: 1.5rem; height: 1.5rem; flex: none; }
.element > * + * { margin-top: var(--space-4); }
.element iframe { display: block; max-width: 100%; border: 0; }
[aria-disabled="true"] { opacity: .7; cursor: progress; }
.notice[hidden] { display: none; }
.test-box {
  padding: var(--space-4); border: 1px dashed var(--edge); border-radius: var(--radius-m);
}

.button {
  display: flex; align-items: center; justify-content: center;
  width: 100%; min-height: var(--control);
  padding: var(--space-2) var(--space-4); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: var(--ink);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--back); }
.button.primary {
  border-color: var(--brand-edge); background: var(--brand); color: var(--on-brand);
  min-height: 3.25rem; font-size: 1.0625rem; font-variant-numeric: tabular-nums;
}
.button.primary:hover { filter: brightness(.94); }
.button.quiet {
  min-height: 2.75rem; border-color: transparent; background: none;
  color: var(--brand-ink); font-weight: 500;
}
.button[hidden] { display: none; }
.actions { display: grid; gap: var(--space-2); }
.centered { text-align: center; }

.notice {
  padding: var(--space-3) var(--space-4); border-radius: var(--radius-s);
  background: var(--bad-back); color: var(--bad); font-size: var(--text-s); font-weight: 500;
}
.notice.good { background: var(--good-back); color: var(--good); }
.notice.mild { background: var(--warn-back); color: var(--warn); }
.notice ul { margin-top: var(--space-1); padding-left: 1.1em; list-style: disc; }
.notice a { color: inherit; }

.state { text-align: center; }
.state h2 { font-size: var(--text-l); }
.state p { margin-top: var(--space-2); }
.sign .icon { width: 3rem; height: 3rem; margin: 0 auto var(--space-3); }
.sign.good { color: var(--good); }
.sign.bad { color: var(--bad); }
.sign.waiting { color: var(--brand-ink); }
.what-next {
  padding: var(--space-4); border: 1px solid var(--line); border-radius: var(--radius-m);
}
.what-next p { margin-top: var(--space-2); white-space: pre-line; }
.time { font-variant-numeric: tabular-nums; font-weight: 600; }
.qr {
  width: min(15rem, 100%); margin: 0 auto;
  border: 1px solid var(--line); border-radius: var(--radius-s);
}
.qr-fold summary {
  min-height: 2.75rem; padding: var(--space-2) 0; color: var(--brand-ink);
  font-weight: 500; text-align: center; cursor: pointer;
}
.qr-fold .qr { margin-top: var(--space-2); }
@media (max-width: 39.99rem) { .qr-fold details:not([open]) + .qr { display: none; } }
@media (min-width: 40rem) { .qr-fold details { display: none; } }
.steps { padding-left: 1.4em; font-size: var(--text-s); color: var(--soft); }
.steps li + li { margin-top: var(--space-1); }
.code-box > * + * { margin-top: var(--space-2); }
.code-box > :empty { margin-top: 0; }
.live {
  display: flex; align-items: center; justify-content: center; gap: var(--space-2);
  color: var(--soft); font-size: var(--text-s);
}
.live::before {
  content: ""; width: .625rem; height: .625rem; flex: none; border-radius: 50%;
  background: var(--brand-edge); animation: pulse 1.6s ease-in-out infinite;
}
@keyframes pulse { 50% { opacity: .25; } }
@media (prefers-reduced-motion: reduce) { .live::before { animation: none; } }
@media (forced-colors: active) { .choice:has(:checked) { outline: 2px solid Highlight; } }

@media (min-width: 60rem) {
  body { background: linear-gradient(90deg, var(--back) 50%, var(--paper) 50%); }
  .page {
    display: grid; grid-template: "summary main" 1fr "footer main" auto / 1fr 1fr;
    max-width: 72rem; margin: 0 auto;
  }
  .summary { grid-area: summary; border: 0; }
  main { grid-area: main; }
  footer { grid-area: footer; }
  .summary, main { padding: var(--space-7) var(--space-7); }
  footer { padding-inline: var(--space-7); background: var(--back); }
  .inner { max-width: 27rem; margin: 0; }
  main .inner { margin-left: auto; }
  h1 { margin-top: var(--space-6); }
}

@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff;
    --back: #fff; --good: #000; --warn: #000; --warn-back: #fff; }
  body, .page { display: block; min-height: 0; background: none; }
  .summary, main, footer { padding: 0 0 var(--space-4); }
  .button, footer { display: none; }
  .lines li { break-inside: avoid; padding: 2pt 0; }
}

body.message { display: grid; place-items: center; min-height: 100vh; background: var(--back); }
.message main {
  max-width: 32rem; margin: var(--space-4); flex: none; padding: var(--space-6) var(--space-5);
  width: calc(100% - 2 * var(--space-4)); border: 1px solid var(--line);
  border-radius: var(--radius-m); background: var(--paper);
}
.message h1 {
  margin: 0 0 var(--space-2); color: inherit; font-size: var(--text-l); font-weight: 700;
}
.message .button { margin-top: var(--space-5); }
`.trimStart();
