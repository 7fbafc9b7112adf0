import type { faultsEnglish } from "../en/faults-en.ts";
import type { Translated } from "../translated.ts";

/** Says what is wrong with a form or a request, and what the pages without a screen say. */
export const faultsPortuguese: Translated<typeof faultsEnglish> = {
  faults_title: "Corrija o seguinte:",
  fault_missing: "Preencha este campo.",
  fault_picture_type: "Não é PNG, JPEG, WebP, GIF nem AVIF. Escolha outro arquivo.",
  fault_picture_large: "A imagem tem mais de 5 MB. Escolha uma menor.",
  fault_picture_failed: "Não foi possível guardar a imagem. Escolha-a de novo em instantes.",
  fault_file_large: "O arquivo tem mais de 30 MB. Escolha um menor.",
  fault_file_failed: "Não foi possível guardar o arquivo. Escolha-o de novo em instantes.",
  fault_taken: "Já está em uso. Escolha outro.",
  fault_long: {
    one: "Use no máximo {count} caractere.",
    other: "Use no máximo {count} caracteres.",
  },
  fault_many: {
    one: "Use no máximo {count} item.",
    other: "Use no máximo {count} itens.",
  },
  fault_small: "O mínimo é {bound}.",
  fault_large: "O máximo é {bound}.",
  fault_email: "Digite um e-mail completo, por exemplo ana@exemplo.com.",
  fault_slug: "Use apenas letras minúsculas, números e hífens.",
  fault_percentage:
    "Digite uma porcentagem acima de 0 e até 100, com no máximo duas casas decimais.",
  fault_clock: "Deve ser depois da hora do modo de teste.",
  fault_clock_far: {
    one: "O relógio pode estar no máximo {count} dia à frente de hoje.",
    other: "O relógio pode estar no máximo {count} dias à frente de hoje.",
  },
  fault_order: "O fim deve ser depois do início.",
  fault_ancestor: "Uma categoria não pode ficar abaixo de si mesma.",
  fault_origin: "Digite uma origem como https://loja.exemplo.com, sem caminho.",
  fault_return_url: "Digite um endereço como https://loja.exemplo.com/obrigado, sem parâmetros.",
  fault_category_empty: "Esta categoria ainda não tem produto.",
  fault_time: "Digite uma data e uma hora.",
  fault_number: "Digite um número.",
  fault_amount: "Digite um valor como 98,00.",
  fault_amount_unclear:
    "Isto pode ser lido de dois jeitos. Digite sem separar os milhares, como 1234,00.",
  fault_currency: "Isto está em outra moeda. Digite só o número, como 98,00.",
  fault_event_types: "Escolha ao menos um evento, ou todos.",
  fault_rights: "Escolha ao menos uma ação.",
  fault_endpoint_off: "O endpoint está desligado ou não existe mais. Ligue-o primeiro.",
  fault_event_pruned: "O evento é antigo demais: seu conteúdo foi apagado, e não há o que enviar.",
  fault_refund_large: "Isto é mais do que resta do pagamento.",
  fault_refund_unpaid: "Só um pedido pago pode ser reembolsado.",
  fault_refund_gateway:
    "O gateway que recebeu este pagamento não está configurado aqui, ou não devolve dinheiro. Se " +
    "você mesmo já devolveu, marque a caixa abaixo.",
  fault_refund_reference: "Um reembolso de outro valor tem este ID.",
  fault_order_ended: "Só um pedido que aguarda o pagamento pode ser cancelado.",
  fault_return_gateway:
    "O gateway que recebeu este pagamento não está configurado aqui, ou não devolve dinheiro.",
  fault_return_failed: "O gateway não devolveu o dinheiro. Veja os alertas.",
  fault_return_booked: "Este pagamento paga o pedido. Nesse caso, reembolse o pedido.",
  fault_url_name:
    "Nenhum endereço público tem este nome. Confira a escrita, ou espere até o nome ser " +
    "registrado.",
  fault_url_target: "Use um endereço https:// que todos alcancem, na porta 443.",
  fault_other: "Não aceito. {reason}",
  switch_changed:
    "Outra pessoa mudou isto desde que você abriu a lista. Nada foi salvo: veja abaixo como " +
    "está e tente de novo.",
  form_changed:
    "Outra pessoa mudou isto depois que você abriu a página. Nada foi salvo ainda: o que ela " +
    "mudou aparece abaixo junto com o seu. Confira e salve de novo.",
  fault_contested: "Outra pessoa também mudou isto. Salvar de novo substitui.",
  fault_contested_by: "Outra pessoa mudou para: {value}. Salvar de novo substitui.",
  signed_out_title: "Você não entrou",
  signed_out_next: "Entre no site de quem opera esta loja e abra o painel de novo.",
  fault_above: "Isto é mais do que você mesmo pode fazer.",
  sign_in_title: "Entrar",
  sign_in_lead:
    "Entre com a chave de acesso guardada no seu celular, computador ou chave de segurança.",
  sign_in_passkey: "Entrar com a chave de acesso",
  sign_in_else: "Ainda não tem chave de acesso? Peça um convite por link a quem cuida desta loja.",
  sign_in_refused:
    "Essa chave de acesso não foi aceita. Tente de novo; se continuar, peça um novo link a quem " +
    "cuida desta loja.",
  passkey_script: "Chaves de acesso precisam de JavaScript. Ative-o e recarregue esta página.",
  passkey_fault:
    "Nada foi feito: o navegador não tem chave de acesso para este site, ou foi interrompido.",
  too_many_title: "Tentativas demais",
  too_many_next: "Nada foi feito. Espere um minuto e tente de novo.",
  signed_out_links_title: "Você não entrou",
  signed_out_links_next:
    "Peça um novo link a quem opera esta loja. Um link serve para entrar uma só vez, " +
    "e a sessão dura 12 horas.",
  forbidden_title: "Você não pode fazer isto",
  forbidden_next: "Nada foi feito. Peça a permissão a quem opera esta loja.",
  foreign_form_title: "Este formulário não foi enviado pelo painel",
  foreign_form_next: "Nada foi feito. Abra o painel e envie o formulário por lá.",
  foreign_download_title: "Este arquivo não foi pedido por você",
  foreign_download_next:
    "Uma imagem ou outro site o pediu. Nada foi exportado. Use Exportar na lista.",
  form_expired_title: "Este formulário é antigo demais",
  form_expired_next: "Nada foi feito. Volte, recarregue a página e envie o formulário de novo.",
  form_expired_again:
    "Este formulário era antigo demais, e nada foi feito. Confira e envie de novo.",
  form_repeated_title: "Já foi feito",
  form_repeated_next: "Este formulário já tinha sido enviado, e nada foi feito outra vez.",
  gone_title: "Isto não existe mais",
  gone_next: "Outra pessoa excluiu isto depois que você abriu a página. Nada foi salvo.",
  typed_title: "O que você escreveu",
  typed_text: "Copie o que ainda precisar antes de sair desta página.",
  not_found_title: "Não há nada aqui",
  not_found_next:
    "O endereço está errado, ou o que ele indicava não existe mais, ou está fora do seu alcance.",
  method_not_allowed_title: "Isto não pode ser feito",
  method_not_allowed_next: "Abra o painel em um navegador.",
  too_large_title: "Este formulário é grande demais",
  too_large_next: "Nada foi feito. Volte e encurte os textos ou escolha um arquivo menor.",
  unreadable_title: "Este formulário não chegou inteiro",
  unreadable_next: "Nada foi feito. Volte e envie o formulário de novo.",
  failed_title: "Algo deu errado",
  failed_next:
    "A falha é nossa. Se você acabou de enviar um formulário, veja se foi feito antes de " +
    "enviar de novo.",
  unavailable_title: "Indisponível no momento",
  unavailable_next: "O banco de dados não responde. Tente de novo em um minuto.",
  link_spent_title: "Este link já foi usado",
  link_spent_next:
    "Um link serve para entrar uma só vez e dura pouco. Peça outro a quem opera esta loja.",
  link_not_needed_title: "Você já entrou",
  link_not_needed_next:
    "Você não precisa deste link. Para usá-lo, saia antes da sua própria conta.",
  link_title: "Abrir o painel",
  link_lead: "Com este link você entra como {actor}, na loja {store}.",
  link_replaces:
    "Você entrou como {actor}. Essa sessão será encerrada. Os links criados nela e as sessões " +
    "que eles abriram também.",
  link_replaces_person: "Você entrou como {actor}. Essa sessão será encerrada.",
  link_keeps: "Você entrou como {actor}. Essa sessão continua aberta, porque este link veio dela.",
  link_button: "Entrar",
};
