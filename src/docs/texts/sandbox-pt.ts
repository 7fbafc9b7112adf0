import type { SandboxOutcome } from "../../payments/sandbox/sandbox-outcomes.ts";
import type { testDocuments } from "./sandbox-en.ts";

/** Tells integrators in Portuguese what each outcome of a sandbox payment does. */
export const outcomesPortuguese: Readonly<Record<SandboxOutcome, string>> = {
  succeed: "Pago na hora.",
  decline: "Recusado. O comprador pode tentar de novo enquanto a sessão está aberta.",
  decline_then_succeed: "A primeira tentativa é recusada, a seguinte é paga.",
  pending_then_succeed: "Espera, e é pago na próxima consulta ao provedor.",
  pending_then_fail: "Espera, e é recusado na próxima consulta ao provedor.",
  timeout: "O provedor não responde, embora tenha o dinheiro: o pedido é pago mais tarde.",
  qr_code: "Mostra um código Pix e é pago pouco depois.",
  voucher: "Mostra um boleto com um número e é pago pouco depois.",
  three_d_secure: "Manda o comprador ao banco e de volta, e então é pago.",
  refund_fails_later: "Pago na hora. Um reembolso dele primeiro dá certo e depois falha.",
};

/** Says in Portuguese whose the tax ids for tests are. */
export const documentsPortuguese: Readonly<Record<keyof typeof testDocuments, string>> = {
  "529.982.247-25": "CPF de uma pessoa",
  "111.444.777-35": "CPF de outra pessoa",
  "11.222.333/0001-81": "CNPJ de uma empresa",
  "12.ABC.345/01DE-35": "CNPJ com letras, como emitido a partir de 2026",
};
