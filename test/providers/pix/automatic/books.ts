import { dateOf, daysAfter } from "../../../../adapters/payments/pix/times.ts";
import { type Books, type FakePix, field, letters, newPix, sealedCode } from "../books.ts";

/** A recurrence, with every field that the bank ever shows of it. */
export interface FakeRecurrence {
  readonly idRec: string;
  status: "CRIADA" | "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA";
  readonly vinculo: object;
  readonly calendario: { readonly dataInicial: string; readonly periodicidade: string };
  readonly valor: { readonly valorRec?: string; readonly valorMinimoRecebedor?: string };
  readonly politicaRetentativa: "NAO_PERMITE" | "PERMITE_3R_7D";
  /** Absent where the payer was asked by a request: no code carries the recurrence. */
  readonly loc?: FakeLocation;
  readonly recebedor: object;
  readonly ativacao: { tipoJornada: string; readonly dadosJornada?: { readonly txid: string } };
  readonly solicitacao?: FakeRequest[];
  pagador?: object;
  readonly atualizacao: { readonly status: string; readonly data: string }[];
  encerramento?: object;
}

/** A request to a payer, with every field that the bank ever shows of it. */
export interface FakeRequest {
  readonly idSolicRec: string;
  readonly idRec: string;
  status: "CRIADA" | "ENVIADA" | "RECEBIDA" | "REJEITADA" | "ACEITA" | "EXPIRADA" | "CANCELADA";
  readonly calendario: { readonly dataExpiracaoSolicitacao: string };
  readonly destinatario: {
    readonly cpf?: string;
    readonly ispbParticipante: string;
    readonly agencia?: string;
    readonly conta: string;
  };
  readonly atualizacao: { readonly status: string; readonly data: string }[];
}

export interface FakeLocation {
  readonly id: number;
  readonly location: string;
  readonly criacao: string;
  idRec?: string;
}

export interface FakeTry {
  readonly dataLiquidacao: string;
  readonly tipo: "AGND" | "NTAG";
  readonly endToEndId: string;
  status: "SOLICITADA" | "AGENDADA" | "PAGA" | "CANCELADA" | "REJEITADA" | "EXPIRADA";
  readonly atualizacao: { readonly status: string; readonly data: string }[];
}

/** A recurring charge, with every field that the bank ever shows of it. */
export interface FakeRecurringCharge {
  readonly idRec: string;
  readonly txid: string;
  readonly infoAdicional?: string;
  readonly calendario: { readonly criacao: string; readonly dataDeVencimento: string };
  readonly valor: { readonly original: string };
  readonly ajusteDiaUtil: boolean;
  readonly recebedor: object;
  readonly politicaRetentativa: FakeRecurrence["politicaRetentativa"];
  status: "CRIADA" | "ATIVA" | "CONCLUIDA" | "EXPIRADA" | "REJEITADA" | "CANCELADA";
  readonly atualizacao: { readonly status: string; readonly data: string }[];
  readonly tentativas: FakeTry[];
  readonly pix: FakePix[];
  encerramento?: object;
}

/** What the bank keeps of Pix Automático. */
export interface RecurringBooks {
  readonly recurrences: Map<string, FakeRecurrence>;
  readonly recurring: Map<string, FakeRecurringCharge>;
  readonly locations: Map<number, FakeLocation>;
  /** Whether buyers authorize the recurrence when they pay the code that carries it. */
  authorizes: boolean;
  /** The text of a charge and of the recurrence that it carries, by their locations. */
  compose(location: string, recurrence: string): string;
  /** Whether there is money on the buyer's account for a charge on its day. */
  hasMoney(charge: FakeRecurringCharge): boolean;
}

export const openRecurringBooks = (): RecurringBooks => ({
  recurrences: new Map(),
  recurring: new Map(),
  locations: new Map(),
  authorizes: true,
  compose: composedCode,
  hasMoney: () => true,
});

const moment = (books: Books): string => new Date(books.now()).toISOString();
export const noted = (books: Books, status: string) => ({ status, data: moment(books) });

function enter<T extends { status: string; readonly atualizacao: object[] }>(
  books: Books,
  record: T,
  status: T["status"],
): void {
  record.status = status;
  record.atualizacao.push(noted(books, status));
}

/** The copy-and-paste text of a charge and of the recurrence that it carries. */
const composedCode = (location: string, recurrence: string): string =>
  sealedCode(location, [], [field("80", field("00", "br.gov.bcb.pix") + field("25", recurrence))]);

export const tellRecurrence = (books: Books, recurrence: FakeRecurrence): void => {
  const { idRec, status, atualizacao, encerramento, ativacao } = recurrence;
  const told = { idRec, status, atualizacao, ativacao, ...(encerramento && { encerramento }) };
  books.send({ recs: [told] });
};

/** What the bank shows of the money of a recurring charge. */
export const shownPix = ({ pix }: FakeRecurringCharge): readonly object[] =>
  pix.map(({ chave: _, ...shown }) => shown);

export const tellCharge = (books: Books, charge: FakeRecurringCharge): void => {
  const { idRec, txid, status, atualizacao, tentativas, encerramento } = charge;
  const told = { idRec, txid, status, atualizacao, tentativas, pix: shownPix(charge) };
  books.send({ cobsr: [{ ...told, ...(encerramento && { encerramento }) }] });
};

/** The buyer's bank confirms the recurrence that the paid code carried. */
export function authorize(books: Books, txid: string): void {
  if (!books.authorizes) return;
  for (const recurrence of books.recurrences.values()) {
    const isCarried = recurrence.ativacao.dadosJornada?.txid === txid;
    if (!isCarried || recurrence.status !== "CRIADA") continue;
    recurrence.ativacao.tipoJornada = "JORNADA_3";
    enter(books, recurrence, "APROVADA");
    tellRecurrence(books, recurrence);
  }
}

export const isWaiting = ({ status }: FakeRequest): boolean =>
  status === "CRIADA" || status === "ENVIADA" || status === "RECEBIDA";

/** The request goes on its way to the payer's bank. */
export function sendRequest(
  books: Books,
  request: FakeRequest,
  status: "ENVIADA" | "RECEBIDA" = "RECEBIDA",
): void {
  enter(books, request, status);
}

/** The payer answers a request in the app of their bank, or lets its time pass. */
export function answerRequest(
  books: Books,
  recurrence: FakeRecurrence,
  status: "ACEITA" | "REJEITADA" | "EXPIRADA",
): void {
  const request = recurrence.solicitacao?.find(isWaiting);
  if (!request) throw new Error(`${recurrence.idRec} waits for no answer.`);
  enter(books, request, status);
  if (status === "ACEITA") {
    recurrence.ativacao.tipoJornada = "JORNADA_1";
    const { cpf, ispbParticipante } = request.destinatario;
    recurrence.pagador = { cpf, ispbParticipante };
    enter(books, recurrence, "APROVADA");
  } else if (status === "REJEITADA") {
    recurrence.encerramento = { rejeicao: { codigo: "AP13", descricao: "Rejeitada" } };
    enter(books, recurrence, "REJEITADA");
  } else enter(books, recurrence, "EXPIRADA");
  tellRecurrence(books, recurrence);
}

/** Ends a recurrence, and the charges of it that have no result. */
export function endRecurrence(
  books: Books,
  recurrence: FakeRecurrence,
  { solicitante, codigo }: { readonly solicitante: string; readonly codigo: string },
): void {
  const cancelamento = { solicitante, codigo, descricao: "Cancelamento solicitado" };
  recurrence.encerramento = { cancelamento };
  for (const request of recurrence.solicitacao?.filter(isWaiting) ?? [])
    enter(books, request, "CANCELADA");
  enter(books, recurrence, "CANCELADA");
  tellRecurrence(books, recurrence);
  for (const charge of books.recurring.values())
    if (charge.idRec === recurrence.idRec && runningTry(charge))
      cancelCharge(books, charge, solicitante);
}

/** The buyer cancels the recurrence in the app of their bank. */
export const cancelAtBank = (books: Books, recurrence: FakeRecurrence): void =>
  endRecurrence(books, recurrence, { solicitante: "USUARIO_PAGADOR", codigo: "SLDB" });

export const runningTry = ({ tentativas }: FakeRecurringCharge): FakeTry | undefined =>
  tentativas.find(({ status }) => status === "SOLICITADA" || status === "AGENDADA");

export function cancelCharge(
  books: Books,
  charge: FakeRecurringCharge,
  solicitante = "USUARIO_RECEBEDOR",
): void {
  const running = runningTry(charge);
  if (running) enter(books, running, "CANCELADA");
  const codigo = solicitante === "USUARIO_PAGADOR" ? "SLBD" : "SLCR";
  charge.encerramento = { cancelamento: { solicitante, codigo, descricao: "Cancelada" } };
  enter(books, charge, "CANCELADA");
  tellCharge(books, charge);
}

/** The buyer's bank refuses a charge as a whole, e.g. above the limit that the buyer has set. */
export function rejectCharge(books: Books, charge: FakeRecurringCharge, codigo: string): void {
  const running = runningTry(charge);
  if (running) enter(books, running, "REJEITADA");
  charge.encerramento = { rejeicao: { codigo, descricao: "Rejeitada" } };
  enter(books, charge, "REJEITADA");
  tellCharge(books, charge);
}

export const newTry = (books: Books, tipo: FakeTry["tipo"], dataLiquidacao: string): FakeTry => ({
  dataLiquidacao,
  tipo,
  endToEndId: `E12345678${moment(books).replace(/\D/g, "").slice(0, 12)}${letters(11)}`,
  status: "SOLICITADA",
  atualizacao: [noted(books, "SOLICITADA")],
});

/** Debits every charge whose day has come, and ends those that may not be tried any more. */
export function settleDebits(books: Books): void {
  const today = dateOf(books.now());
  for (const charge of books.recurring.values()) {
    if (charge.status === "CRIADA") enter(books, charge, "ATIVA");
    const running = runningTry(charge);
    if (running && running.dataLiquidacao <= today) debit(books, charge, running);

    const { calendario, politicaRetentativa, status } = charge;
    const days = politicaRetentativa === "PERMITE_3R_7D" ? 7 : 0;
    const isLate = today > daysAfter(calendario.dataDeVencimento, days);
    if (status === "ATIVA" && isLate && !runningTry(charge)) {
      enter(books, charge, "EXPIRADA");
      tellCharge(books, charge);
    }
  }
}

function debit(books: Books, charge: FakeRecurringCharge, running: FakeTry): void {
  const { txid, valor, politicaRetentativa } = charge;
  if (books.hasMoney(charge)) {
    enter(books, running, "PAGA");
    charge.pix.push(newPix(books, { txid, valor: valor.original, chave: "one@shop.example.com" }));
    enter(books, charge, "CONCLUIDA");
  } else {
    enter(books, running, "EXPIRADA");
    if (politicaRetentativa === "NAO_PERMITE") enter(books, charge, "EXPIRADA");
  }
  tellCharge(books, charge);
}
