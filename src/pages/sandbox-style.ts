/** The one style of the sandbox page. Who changes it must change its hash below. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1d1d28; --soft: #6b6b7b; --line: #d9d9e3;
  --paper: #fff; --back: #f4f4f8; --brand: #3b3bd6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f2f2f7; --soft: #a0a0b2; --line: #34343f;
    --paper: #1c1c24; --back: #121218; --brand: #8c8cff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif;
}
main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
section {
  background: var(--paper); border: 1px solid var(--line); border-radius: 12px;
  padding: 1.25rem; margin-bottom: 1rem;
}
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
.note { color: var(--soft); margin: 0; }
.badge {
  display: inline-block; background: #ffd76a; color: #3a2c00; border-radius: 6px;
  padding: 0 .5rem; font-size: .8rem; font-weight: 600;
}
table { width: 100%; border-collapse: collapse; }
td { padding: .4rem 0; border-bottom: 1px solid var(--line); }
td:last-child { text-align: right; white-space: nowrap; }
tr.total td { border: 0; font-weight: 700; font-size: 1.1rem; }
label { display: block; margin: .6rem 0 .2rem; font-size: .9rem; }
input[type=text], input[type=email] {
  width: 100%; padding: .6rem; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit;
}
fieldset { border: 0; padding: 0; margin: 0; }
.choice { display: flex; gap: .5rem; align-items: center; margin: .3rem 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem; }
button {
  font: inherit; padding: .65rem 1.1rem; border-radius: 8px; border: 1px solid var(--line);
  background: transparent; color: inherit; cursor: pointer;
}
button.pay {
  background: var(--brand); border-color: var(--brand); color: var(--paper);
  font-weight: 600; flex: 1;
}
.words { border-left: 4px solid var(--brand); padding-left: .75rem; }
`.trim();

/** The hash by which the page's content policy allows its style. The page has no script. */
export const styleHash = "sha256-CJyMGXsXfdvKIGGP8lDHfdWKNq8F0n+g/aNwPIp2DxE=";
