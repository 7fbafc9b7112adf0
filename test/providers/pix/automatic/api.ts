import { dateOf, daysAfter } from "../../../../adapters/payments/pix/times.ts";
import { letters } from "../books.ts";
import { type Answer, BankFault, type Call, type Json, type Operation } from "../call.ts";
import {
  cancelCharge,
  endRecurrence,
  type FakeRecurrence,
  type FakeRecurringCharge,
  type FakeRequest,
  isWaiting,
  newTry,
  noted,
  runningTry,
  shownPix,
} from "./books.ts";

const refuseRec = (detail: string) => new BankFault(400, "RecOperacaoInvalida", detail);
const refuseCharge = (detail: string) => new BankFault(400, "CobROperacaoInvalida", detail);

const recebedor = { cnpj: "01602606113708", nome: "Armazem Vitrine SA" };

function postLocation({ books }: Call): Answer {
  const id = books.locations.size + 1;
  const location = `pix.example.com/qr/v2/rec/${letters(32)}`;
  const made = { id, location, criacao: new Date(books.now()).toISOString() };
  books.locations.set(id, { ...made });
  return { status: 201, body: made };
}

function postRecurrence({ books, body }: Call): Answer {
  const asked = body as unknown as Omit<FakeRecurrence, "loc"> & { readonly loc?: number };
  const loc = asked.loc === undefined ? undefined : books.locations.get(asked.loc);
  if (asked.loc !== undefined && !loc)
    throw refuseRec("O location referenciado por rec.loc inexiste.");
  if (loc?.idRec) throw refuseRec("O location já está sendo utilizado por outra recorrência.");
  const today = dateOf(books.now());
  if (asked.calendario.dataInicial < today)
    throw refuseRec("O campo rec.calendario.dataInicial é anterior à data de criação.");
  if (asked.valor.valorRec && asked.valor.valorMinimoRecebedor)
    throw refuseRec("Ambos os campos rec.valor estão preenchidos.");

  const kind = asked.politicaRetentativa === "NAO_PERMITE" ? "RN" : "RR";
  const idRec = `${kind}12345678${today.replaceAll("-", "")}${letters(11)}`;
  if (loc) loc.idRec = idRec;
  const { loc: _, ...rest } = asked;
  const recurrence: FakeRecurrence = {
    ...rest,
    ...{ idRec, recebedor },
    ...(loc && { loc }),
    status: "CRIADA",
    ativacao: { ...asked.ativacao, tipoJornada: "AGUARDANDO_DEFINICAO" },
    solicitacao: [],
    atualizacao: [noted(books, "CRIADA")],
  };
  books.recurrences.set(idRec, recurrence);
  return { status: 201, body: generated(recurrence) };
}

/** What creating and changing a recurrence answer with. */
const generated = (recurrence: FakeRecurrence): Json => {
  const { politicaRetentativa: _, solicitacao: _asked, pagador: _payer, ...shown } = recurrence;
  return { ...shown };
};

function recurrenceOf({ books, ids: [idRec = ""] }: Call): FakeRecurrence {
  const recurrence = books.recurrences.get(idRec);
  if (!recurrence) throw new BankFault(404, "RecNaoEncontrada", "Recorrência não encontrada.");
  return recurrence;
}

function getRecurrence(call: Call): Answer {
  const recurrence = recurrenceOf(call);
  const { txid } = call.query;
  if (txid === undefined) return { status: 200, body: { ...recurrence } };

  const charge = call.books.charges.get(txid);
  const { loc, ativacao } = recurrence;
  if (!charge || !loc || txid !== ativacao.dadosJornada?.txid)
    throw new BankFault(400, "RecConsultaInvalida", "O parâmetro txid não corresponde.");
  const pixCopiaECola = call.books.compose(charge.location, loc.location);
  return {
    status: 200,
    body: { ...recurrence, dadosQR: { jornada: "JORNADA_3", pixCopiaECola } },
  };
}

function patchRecurrence(call: Call): Answer {
  const recurrence = recurrenceOf(call);
  if (recurrence.status !== "CRIADA" && recurrence.status !== "APROVADA")
    throw refuseRec("A recorrência encontra-se expirada, cancelada ou rejeitada.");
  endRecurrence(call.books, recurrence, { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR" });
  return { status: 200, body: generated(recurrence) };
}

function listRecurrences({ books, query }: Call): Answer {
  const { inicio = "", fim = "", cpf } = query;
  const found = [...books.recurrences.values()].filter(({ atualizacao, vinculo }) => {
    const made = atualizacao[0]?.data ?? "";
    const { devedor } = vinculo as { readonly devedor: { readonly cpf?: string } };
    return made >= inicio && made <= fim && (cpf === undefined || devedor.cpf === cpf);
  });
  const { parametros, items } = pageOf(query, found);
  return { status: 200, body: { parametros, recs: items } };
}

const itensPorPagina = 100;

/** Gives the page of a list that is asked for, and what is told of its pages. */
function pageOf<Row>({ "paginacao.paginaAtual": page, ...query }: Call["query"], all: Row[]) {
  const paginaAtual = Number(page ?? 0);
  const first = paginaAtual * itensPorPagina;
  const paginacao = {
    ...{ paginaAtual, itensPorPagina, quantidadeTotalDeItens: all.length },
    quantidadeDePaginas: Math.max(1, Math.ceil(all.length / itensPorPagina)),
  };
  return { parametros: { ...query, paginacao }, items: all.slice(first, first + itensPorPagina) };
}

const refuseRequest = (detail: string) => new BankFault(400, "SolicRecOperacaoInvalida", detail);

function postRequest({ books, body }: Call): Answer {
  const asked = body as unknown as FakeRequest;
  const recurrence = books.recurrences.get(asked.idRec);
  if (!recurrence) throw new BankFault(404, "NaoEncontrado", "Recorrência não encontrada.");
  if (asked.calendario.dataExpiracaoSolicitacao < new Date(books.now()).toISOString())
    throw refuseRequest("O campo dataExpiracaoSolicitacao é anterior à data de criação.");
  if (recurrence.status !== "CRIADA" || recurrence.solicitacao?.some(isWaiting))
    throw refuseRequest("Existe uma solicitação ativa referente ao mesmo solicrec.idRec.");

  const today = dateOf(books.now()).replaceAll("-", "");
  const request: FakeRequest = {
    ...asked,
    idSolicRec: `SC12345678${today}${letters(11)}`,
    status: "CRIADA",
    atualizacao: [noted(books, "CRIADA")],
  };
  recurrence.solicitacao?.push(request);
  return { status: 201, body: { ...request } };
}

const monthsOf: Readonly<Record<string, number>> = {
  MENSAL: 1,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
};

/** The number of the period, counted from the first day of the recurrence, that holds a day. */
function cycleOf({ calendario }: FakeRecurrence, day: string): number {
  const { dataInicial, periodicidade } = calendario;
  const months = monthsOf[periodicidade];
  if (months === undefined)
    return Math.floor((Date.parse(day) - Date.parse(dataInicial)) / (7 * 86_400_000));

  const [year = 0, month = 0, date = 0] = dataInicial.split("-").map(Number);
  let cycle = -1;
  const startOf = (next: number) => {
    const last = new Date(Date.UTC(year, month + next * months, 0)).getUTCDate();
    const at = Date.UTC(year, month - 1 + next * months, Math.min(date, last));
    return new Date(at).toISOString().slice(0, 10);
  };
  while (startOf(cycle + 1) <= day) cycle += 1;
  return cycle;
}

function putCharge({ books, ids: [txid = ""], body }: Call): Answer {
  const asked = body as unknown as FakeRecurringCharge;
  const recurrence = books.recurrences.get(asked.idRec);
  if (!recurrence) throw refuseCharge("O campo cobr.idRec não existe.");
  if (recurrence.status !== "APROVADA") throw refuseCharge("A recorrência não está aprovada.");
  if (books.recurring.has(txid)) throw refuseCharge("O campo cobr.txid encontra-se em uso.");

  // Not of the API's document, but of the Banco Central's rules for Pix Automático.
  const today = dateOf(books.now());
  const { dataDeVencimento: due } = asked.calendario;
  if (due < daysAfter(today, 2) || due > daysAfter(today, 10))
    throw refuseCharge("O vencimento deve ser de 2 a 10 dias após a criação.");
  const { valorRec } = recurrence.valor;
  if (valorRec !== undefined && valorRec !== asked.valor.original)
    throw refuseCharge("O valor difere do valor da recorrência.");

  const cycle = cycleOf(recurrence, due);
  const isTaken = [...books.recurring.values()].some(
    ({ idRec, status, calendario }) =>
      idRec === asked.idRec &&
      status !== "REJEITADA" &&
      status !== "CANCELADA" &&
      cycleOf(recurrence, calendario.dataDeVencimento) === cycle,
  );
  if (isTaken) throw refuseCharge("Existe uma CobR no mesmo ciclo.");

  const { politicaRetentativa } = recurrence;
  const charge: FakeRecurringCharge = {
    ...asked,
    ...{ txid, politicaRetentativa },
    calendario: { criacao: today, dataDeVencimento: due },
    status: "CRIADA",
    atualizacao: [noted(books, "CRIADA")],
    tentativas: [newTry(books, "AGND", due)],
    pix: [],
  };
  books.recurring.set(txid, charge);
  return { status: 201, body: generatedCharge(charge) };
}

/** What creating and changing a recurring charge answer with: neither tries nor money. */
function generatedCharge(charge: FakeRecurringCharge): Json {
  const { atualizacao: _, tentativas: _tries, pix: _pix, encerramento: _end, ...rest } = charge;
  const { politicaRetentativa: _policy, ...shown } = rest;
  return { ...shown, recebedor: { ...charge.recebedor, ...recebedor } };
}

function chargeOf({ books, ids: [txid = ""] }: Call): FakeRecurringCharge {
  const charge = books.recurring.get(txid);
  if (!charge) throw new BankFault(404, "CobRNaoEncontrado", "Cobrança não encontrada.");
  return charge;
}

const shown = (charge: FakeRecurringCharge): Json => ({ ...charge, pix: shownPix(charge) });

function patchCharge(call: Call): Answer {
  const charge = chargeOf(call);
  const first = charge.tentativas[0]?.dataLiquidacao ?? "";
  if (dateOf(call.books.now()) >= first)
    throw refuseCharge("Não é possível cancelar na data da primeira tentativa ou depois.");
  if (charge.status !== "CRIADA" && charge.status !== "ATIVA")
    throw refuseCharge("A cobrança não pode ser cancelada.");
  cancelCharge(call.books, charge);
  return { status: 200, body: generatedCharge(charge) };
}

function listCharges({ books, query }: Call): Answer {
  const { inicio = "", fim = "", idRec } = query;
  const found = [...books.recurring.values()].filter(({ idRec: of, atualizacao }) => {
    const made = atualizacao[0]?.data ?? "";
    return made >= inicio && made <= fim && (idRec === undefined || of === idRec);
  });
  const { parametros, items } = pageOf(query, found);
  return { status: 200, body: { parametros, cobsr: items.map(shown) } };
}

function postRetry(call: Call): Answer {
  const charge = chargeOf(call);
  const day = call.ids[1] ?? "";
  const { calendario, politicaRetentativa, status, tentativas } = charge;
  if (politicaRetentativa === "NAO_PERMITE")
    throw refuseCharge("A política configurada não permite retentativa de cobrança.");
  if (status !== "ATIVA") throw refuseCharge("A cobrança não está ativa.");
  if (runningTry(charge)) throw refuseCharge("Existe uma tentativa não finalizada.");
  if (day <= dateOf(call.books.now()))
    throw refuseCharge("O parâmetro data não corresponde a uma data futura.");
  const retries = tentativas.filter(({ tipo }) => tipo === "NTAG").length;
  if (retries >= 3 || day > daysAfter(calendario.dataDeVencimento, 7))
    throw refuseCharge("A política permite 3 retentativas em 7 dias.");

  tentativas.push(newTry(call.books, "NTAG", day));
  return { status: 201, body: shown(charge) };
}

const registered = (): Answer => ({ status: 200, body: {} });

/** The operations of Pix Automático, by the paths of the document. */
export const recurringOperations: Readonly<Record<string, Operation>> = {
  "POST /locrec": ["payloadlocationrec.write", postLocation],
  "POST /rec": ["rec.write", postRecurrence],
  "GET /rec": ["rec.read", listRecurrences],
  "GET /rec/{idRec}": ["rec.read", getRecurrence],
  "PATCH /rec/{idRec}": ["rec.write", patchRecurrence],
  "POST /solicrec": ["solicrec.write", postRequest],
  "PUT /cobr/{txid}": ["cobr.write", putCharge],
  "PATCH /cobr/{txid}": ["cobr.write", patchCharge],
  "GET /cobr/{txid}": ["cobr.read", (call) => ({ status: 200, body: shown(chargeOf(call)) })],
  "GET /cobr": ["cobr.read", listCharges],
  "POST /cobr/{txid}/retentativa/{data}": ["cobr.write", postRetry],
  "PUT /webhookrec": ["webhookrec.write", registered],
  "PUT /webhookcobr": ["webhookcobr.write", registered],
};
