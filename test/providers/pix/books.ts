import { randomBytes } from "node:crypto";
import { crc16 } from "../../../adapters/payments/pix/br-code.ts";
import {
  authorize,
  openRecurringBooks,
  type RecurringBooks,
  tellCharge,
} from "./automatic/books.ts";

export interface FakeDevolution {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza?: string;
  readonly horario: { readonly solicitacao: string };
  status: "EM_PROCESSAMENTO" | "DEVOLVIDO" | "NAO_REALIZADO";
  motivo?: string;
}

export interface FakePix {
  readonly endToEndId: string;
  readonly txid: string;
  readonly valor: string;
  readonly horario: string;
  readonly chave: string;
  readonly devolucoes: FakeDevolution[];
}

export interface FakeCharge {
  readonly txid: string;
  readonly calendario: { readonly criacao: string; readonly expiracao: number };
  revisao: number;
  status: "ATIVA" | "CONCLUIDA" | "REMOVIDA_PELO_USUARIO_RECEBEDOR" | "REMOVIDA_PELO_PSP";
  valor: { readonly original: string; readonly modalidadeAlteracao?: number };
  readonly chave: string;
  readonly location: string;
  pixCopiaECola: string;
  readonly pix: FakePix[];
  readonly [field: string]: unknown;
}

/** What a message of the bank tells of, by the document's names. */
export type FakeMessage = { readonly [kind in "pix" | "recs" | "cobsr"]?: readonly object[] };

/** What the bank keeps of one account. */
export interface Books extends RecurringBooks {
  readonly charges: Map<string, FakeCharge>;
  readonly received: Map<string, FakePix>;
  /** How the next refunds go. */
  refunds_are: "EM_PROCESSAMENTO" | "DEVOLVIDO";
  /** Epoch milliseconds. */
  now(): number;
  /** Hands a message to the outbox. */
  send(message: FakeMessage): void;
}

export const openBooks = (settings: Pick<Books, "now" | "send">): Books => ({
  ...settings,
  ...openRecurringBooks(),
  charges: new Map(),
  received: new Map(),
  refunds_are: "DEVOLVIDO",
});

/** Tells of these Pix, or of the recurring charges that they paid. */
function tell(books: Books, [pix]: readonly [FakePix]): void {
  const recurring = books.recurring.get(pix.txid);
  if (recurring) tellCharge(books, recurring);
  else books.send({ pix: [pix] });
}

export const letters = (length: number): string =>
  randomBytes(length).toString("hex").slice(0, length);

const cents = (valor: string): number => Math.round(Number(valor) * 100);

export const field = (id: string, value: string): string =>
  `${id}${String(value.length).padStart(2, "0")}${value}`;

/** The copy-and-paste text of a charge. */
export function brCode(location: string, valor: string): string {
  return sealedCode(location, [field("54", valor)], []);
}

/** The text of a charge, with further fields and the checksum. */
export function sealedCode(
  location: string,
  amount: readonly string[],
  more: readonly string[],
): string {
  const account = field("00", "br.gov.bcb.pix") + field("25", location);
  const text = [
    field("00", "01"),
    field("26", account),
    field("52", "0000"),
    field("53", "986"),
    ...amount,
    field("58", "BR"),
    field("59", "ARMAZEM VITRINE"),
    field("60", "SAO PAULO"),
    field("62", field("05", "***")),
    ...more,
    "6304",
  ].join("");
  return text + crc16(text).toString(16).toUpperCase().padStart(4, "0");
}

const endOf = ({ calendario }: FakeCharge): number =>
  Date.parse(calendario.criacao) + calendario.expiracao * 1000;

export const isPayable = (books: Books, charge: FakeCharge): boolean =>
  charge.status === "ATIVA" && books.now() < endOf(charge);

/**
 * The buyer's bank sends the money. It may come although the charge is over, when the buyer had
 * read the code before.
 */
export function receivePix(
  books: Books,
  charge: FakeCharge,
  valor = charge.valor.original,
): FakePix {
  const pix = newPix(books, { ...charge, valor });
  if (charge.status === "ATIVA") charge.status = "CONCLUIDA";
  charge.pix.push(pix);
  tell(books, [pix]);
  authorize(books, charge.txid);
  return pix;
}

/** Money that the bank receives now. */
export function newPix(
  books: Books,
  { txid, valor, chave }: Pick<FakePix, "txid" | "valor" | "chave">,
): FakePix {
  const horario = new Date(books.now()).toISOString();
  const minute = horario.replace(/\D/g, "").slice(0, 12);
  const endToEndId = `E12345678${minute}${letters(11)}`;
  const pix: FakePix = { endToEndId, txid, valor, horario, chave, devolucoes: [] };
  books.received.set(endToEndId, pix);
  return pix;
}

/** A refund that the API, the bank's own page or the MED asks for. */
export function addDevolution(
  books: Books,
  pix: FakePix,
  {
    id,
    valor,
    natureza,
    status = books.refunds_are,
  }: {
    readonly id: string;
    readonly valor: string;
    readonly natureza?: string;
    readonly status?: FakeDevolution["status"];
  },
): FakeDevolution {
  const devolution: FakeDevolution = {
    id,
    rtrId: `D12345678${letters(23)}`,
    valor,
    horario: { solicitacao: new Date(books.now()).toISOString() },
    status,
    ...(natureza !== undefined && { natureza }),
  };
  pix.devolucoes.push(devolution);
  if (status !== "EM_PROCESSAMENTO" || natureza !== undefined) tell(books, [pix]);
  return devolution;
}

export function settleDevolution(
  books: Books,
  pix: FakePix,
  devolution: FakeDevolution,
  status: "DEVOLVIDO" | "NAO_REALIZADO",
): void {
  devolution.status = status;
  if (status === "NAO_REALIZADO") devolution.motivo = "Negado por timeout";
  tell(books, [pix]);
}

/** The cents that the merchant keeps of a Pix. */
export const heldOf = ({ valor, devolucoes }: FakePix): number =>
  devolucoes
    .filter(({ status }) => status !== "NAO_REALIZADO")
    .reduce((left, one) => left - cents(one.valor), cents(valor));

export const newLocation = (): string => `pix.example.com/qr/v2/${letters(32)}`;
export { cents };
