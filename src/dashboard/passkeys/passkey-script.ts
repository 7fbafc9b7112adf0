/** The part of the dashboard's script that asks the browser for passkeys. */
export const passkeyScript = `
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const askForPasskey = async ({ make, ...publicKey }) => {
  publicKey.challenge = new TextEncoder().encode(publicKey.challenge);
  if (!make) return navigator.credentials.get({ publicKey });
  publicKey.user.id = bytesOf(publicKey.user.id);
  for (const each of publicKey.excludeCredentials) each.id = bytesOf(each.id);
  return navigator.credentials.create({ publicKey });
};

for (const form of document.querySelectorAll("form:has([data-passkey])")) {
  const button = form.querySelector("[data-passkey]");
  const fault = form.querySelector("[data-passkey-fault]");
  const field = form.elements.credential;
  button.hidden = false;
  // A browser that goes back must not send an answer again.
  addEventListener("pageshow", () => { field.value = ""; });
  button.addEventListener("click", async () => {
    button.disabled = true;
    fault.textContent = "";
    try {
      const { id, response } = await askForPasskey(JSON.parse(button.dataset.passkey));
      const answer = { id, clientDataJSON: base64url(response.clientDataJSON) };
      if (response.attestationObject) {
        answer.attestationObject = base64url(response.attestationObject);
        answer.transports = response.getTransports?.() ?? [];
      } else {
        answer.authenticatorData = base64url(response.authenticatorData);
        answer.signature = base64url(response.signature);
        answer.userHandle = base64url(response.userHandle ?? new ArrayBuffer(0));
      }
      field.value = JSON.stringify(answer);
      form.requestSubmit();
    } catch {
      // Browsers say no more than that it was not done.
      fault.textContent = fault.dataset.passkeyFault;
    }
    button.disabled = false;
  });
}
`;
