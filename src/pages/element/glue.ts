/**
 * The script that shows a provider's element in the page of a payment that waits for it. The
 * provider's own part is the function of `PaymentElement.mount`, which stands before it as
 * `mount`. Without the script, or where the provider's own is blocked, the page's button leads to
 * the provider's page. Browsers get this text unchanged.
 */
export const glueScript = `
const box = document.getElementById("element-box");
const place = document.getElementById("element");
const button = document.getElementById("element-pay");
const problem = document.getElementById("element-problem");
const loading = document.getElementById("element-loading");
const { failed, declined, paying, account, locale, client_secret, publishable_key } = box.dataset;
const label = button.textContent;
const return_url = location.origin + location.pathname + "?return";

const tell = (text) => {
  problem.textContent = text;
  problem.hidden = text === "";
};

// The server has the words for a provider's codes, in the reader's language.
const wordsOf = async (code) => {
  try {
    const answer = await fetch(location.pathname + "?refused=" + encodeURIComponent(code));
    const { text } = await answer.json();
    return text || declined;
  } catch {
    return declined;
  }
};

const start = async () => {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  let pay;
  try {
    pay = await mount(place, {
      client_secret,
      publishable_key,
      account: account || null,
      locale,
      return_url,
      dark: matchMedia("(prefers-color-scheme: dark)").matches,
      colors: {
        ink: color("--ink"),
        soft: color("--soft"),
        paper: color("--paper"),
        edge: color("--edge"),
        brand: color("--brand-edge"),
        bad: color("--bad"),
      },
    });
  } catch {
    loading.hidden = true;
    place.hidden = true;
    return tell(failed);
  }
  loading.hidden = true;
  button.hidden = false;

  let isPaying = false;
  button.addEventListener("click", async () => {
    if (isPaying) return;
    isPaying = true;
    button.textContent = paying;
    button.setAttribute("aria-disabled", "true");
    tell("");

    // When the outcome is unknown, the server asks the gateway.
    const outcome = await pay().catch(() => null);
    const stays = outcome?.status === "typed" || outcome?.status === "refused";
    if (!stays) return location.replace(return_url);

    if (outcome.status === "refused") tell(await wordsOf(outcome.code));
    isPaying = false;
    button.textContent = label;
    button.removeAttribute("aria-disabled");
  });
};
start();
`.trim();
