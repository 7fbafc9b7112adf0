/**
 * The part of the page's script that judges the fields by the rules that the page brings, so that
 * a form with a fault is not sent at all. The server judges it again by the same table. Browsers
 * get this text unchanged.
 */
export const judgeScript = `
const fitsDigits = (id, top) => {
  const values = [...id].map((letter) => letter.charCodeAt(0) - 48);
  return [2, 1].every((last) => {
    const end = values.length - last;
    let sum = 0;
    for (let at = 0; at < end; at += 1) sum += values[at] * (2 + ((end - 1 - at) % (top - 1)));
    const rest = sum % 11;
    return values[end] === (rest < 2 ? 0 : 11 - rest);
  });
};

const isRefused = (text, { kind, than, pattern, signs, length, top }) => {
  if (kind === "empty") return text === "";
  if (text === "") return false;
  if (kind === "longer") return text.length > than;

  const upper = signs && text.normalize("NFKC").toUpperCase();
  const bare = signs ? upper.replace(new RegExp(signs, "g"), "") : text;
  if (kind === "unlike") return !new RegExp(pattern, "u").test(bare);
  const isOneDigit = bare.split(bare[0]).join("") === "";
  return bare.length === length && (isOneDigit || !fitsDigits(bare, top));
};
`.trimStart();

/** Shows the faults as the server does. It stands after `judgeScript`. */
export const fieldScript = `
const form = document.querySelector("form[data-rules]");
if (form) {
  const rules = JSON.parse(form.dataset.rules);
  const fields = [...new Set(rules.map(({ field }) => field))].map((name) => form.elements[name]);

  const faultOf = ({ name, value }) => {
    const use = form.querySelector("[name=payment_method_id]:checked")?.dataset.use;
    const isOf = ({ field, only_for }) => field === name && (!only_for || only_for === use);
    return rules.find((rule) => isOf(rule) && isRefused(value.trim(), rule.refuses))?.text;
  };

  const show = (field) => {
    const fault = faultOf(field);
    const id = field.id + "-error";
    document.getElementById(id)?.remove();
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
    if (!fault) return null;

    const line = document.createElement("p");
    Object.assign(line, { id, className: "error", textContent: fault });
    field.after(line);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", id);
    return { field, fault };
  };

  // A field that nobody has filled in yet is no fault before the form is sent.
  for (const field of fields)
    field.addEventListener("change", () => {
      if (field.value.trim() || field.getAttribute("aria-invalid")) show(field);
    });

  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "pay" || form.elements.coupon?.value.trim()) return;
    const wrong = fields.map(show).filter(Boolean);
    if (wrong.length === 0) return;

    event.preventDefault();
    for (const old of main.querySelectorAll(".notice")) old.remove();
    const notice = document.createElement("div");
    Object.assign(notice, { className: "notice", role: "alert" });
    const list = document.createElement("ul");
    for (const { field, fault } of wrong) {
      const link = document.createElement("a");
      Object.assign(link, { href: "#" + field.id, textContent: fault });
      list.appendChild(document.createElement("li")).append(link);
    }
    const title = document.createElement("p");
    title.textContent = form.dataset.errors;
    notice.append(title, list);
    form.before(notice);
    wrong[0].field.focus();
  });
}
`;
