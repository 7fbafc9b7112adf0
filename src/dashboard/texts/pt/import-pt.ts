import type { importEnglish } from "../en/import-en.ts";
import type { Translated } from "../translated.ts";

export const importPortuguese: Translated<typeof importEnglish> = {
  import_link: "Importar",
  import_title: "Importar produtos",
  import_lead: "Escolha um arquivo. O que ele muda aparece antes de ser gravado.",
  import_file: "Arquivo",
  import_limits:
    "CSV, linhas JSON ou um feed de produtos. Tamanho: até {megabytes} MB. Linhas: até {rows}. " +
    "Arquivos maiores são importados no terminal: npx vitrine import.",
  import_format: "Formato",
  import_format_auto: "Descobrir pelo arquivo",
  import_format_own: "Exportação deste painel",
  import_format_shopify: "Shopify",
  import_format_woocommerce: "WooCommerce",
  import_format_google: "Google Merchant Center",
  import_format_jsonl: "Linhas JSON",
  import_decimal: "Sinal decimal dos preços",
  import_decimal_auto: "Descobrir pelo arquivo",
  import_decimal_point: "Ponto: 1,234.50",
  import_decimal_comma: "Vírgula: 1.234,50",
  import_own_hint:
    "O CSV da própria lista é lido como foi exportado: os preços estão na menor unidade, como " +
    "centavos, e o que uma linha deixa vazio fica vazio onde pode ficar.",
  import_preview: "Mostrar o que muda",
  import_preview_lead: "{file} · {format}. Nada foi gravado ainda.",
  import_counts: "O que este arquivo faz",
  import_created: "Produtos novos",
  import_updated: "Produtos alterados",
  import_unchanged: "Produtos sem mudança",
  import_deactivated: "Produtos que viram rascunho",
  import_deactivated_one: "Vira rascunho: o arquivo o vende em outra forma",
  import_refused: "Linhas recusadas",
  import_new: "Novo",
  import_changes: "Muda {fields}",
  import_line: "Linha",
  import_what: "O que acontece",
  import_column: "Coluna",
  import_reason: "Motivo",
  import_changed_title: "Produtos que mudam",
  import_refused_title: "Linhas recusadas",
  import_at_line: "Linha {line}:",
  import_more: {
    one: "e mais {count}",
    other: "e outros {count}",
  },
  import_notes: {
    one: "{count} detalhe fica fora do seu produto",
    other: "{count} detalhes ficam fora dos seus produtos",
  },
  import_apply: {
    one: "Importar {count} produto",
    other: "Importar {count} produtos",
  },
  import_refused_file: {
    one: "Baixar {count} linha recusada",
    other: "Baixar {count} linhas recusadas",
  },
  import_other: "Escolher outro arquivo",
  import_nothing: "Nada mudaria.",
  import_stopped:
    "O resto do arquivo não pode ser lido. As linhas antes dele podem ser importadas.",
  import_stopped_many:
    "Muitas linhas estão erradas, e por isso o resto do arquivo não foi lido. As linhas antes " +
    "dele podem ser importadas.",
  import_changed:
    "A loja mudou desde que o arquivo foi conferido. Nada foi gravado: é isto que o arquivo faz " +
    "agora.",
  import_running: "Importando. Você pode sair desta página: a importação continua.",
  import_progress: "Linhas: {done} de {all}",
  import_broken:
    "A importação parou. Linhas feitas: {done}. O que foi gravado fica. Importe o mesmo arquivo " +
    "de novo: ele faz o resto.",
  import_done: {
    one: "{count} produto foi importado.",
    other: "{count} produtos foram importados.",
  },
  import_fault_none: "Escolha um arquivo.",
  import_fault_large: "O arquivo é grande demais.",
  import_fault_rows: "O arquivo tem linhas demais.",
  import_fault_currency: "Escreva a moeda com três letras, como BRL.",
  import_fault_format:
    "O começo do arquivo não diz o formato. Escolha o formato, ou dê às colunas os nomes em " +
    "inglês, como na exportação da própria lista: slug ou id em todo arquivo, e name, price e " +
    "currency em produtos novos. Uma pasta do Excel (.xlsx) deve ser salva antes como CSV.",
  import_fault_head: "O arquivo não pode ser lido: {reason}.",
  head_columns: "ele deve ter as colunas {names}",
  head_twice: "ele tem a coluna {name} duas vezes",
  head_near: "ele tem a coluna {name}, que não é de um produto: a mais parecida é {near}",
  head_unknown: "ele tem a coluna {name}, que não é de um produto: as colunas são {names}",
  head_none: "ele deve começar com um cabeçalho",
  refused_name_missing: "Falta o nome.",
  refused_price_missing: "Falta o preço.",
  refused_long: "O texto tem mais de {most} letras.",
  refused_unclean: "O texto tem sinais que não podem ser gravados.",
  refused_stock: "O estoque deve ser um número inteiro até {most}.",
  refused_repeated: "O nome no endereço {name} aparece pela segunda vez.",
  refused_repeated_id: "O produto {name} aparece pela segunda vez, pelo ID em outra loja.",
  refused_other:
    "O nome no endereço {name} é de outro produto: o ID dele é {other}, e não {given}.",
  refused_currency: "O preço está em {given}, e não em {wanted}.",
  refused_cells: "A linha tem {given} células, e o cabeçalho tem {wanted}.",
  refused_json: "A linha não é um objeto JSON.",
  refused_nameless: "Nada na linha diz qual é o produto, como o slug ou o ID.",
  refused_handle: "O handle não tem letra nem algarismo.",
  refused_handle_order: "As linhas de um handle devem vir uma depois da outra.",
  refused_handle_rows: "Linhas demais do mesmo handle: o máximo é {most}.",
  refused_unreadable: "O arquivo não pode ser lido daqui em diante.",
  refused_quote: "Há texto depois de aspas fechadas.",
  refused_amount: "{name} não é um valor em {wanted}.",
  refused_decimal: "{name} pode ser lido de dois modos. Escolha o sinal decimal.",
  refused_parent: "O produto desta variação não está no arquivo.",
  refused_variations: "O produto é vendido por suas variações, e o arquivo não tem nenhuma.",
  refused_shared_stock: "A variação divide o estoque do produto: dê a ela unidades próprias.",
  refused_availability: "A disponibilidade não é nenhuma das conhecidas.",
  refused_number: "Isto deve ser um número.",
  refused_boolean: "Isto deve ser true ou false.",
  refused_json_cell: "Isto deve ser JSON.",
  refused_small: "Isto deve ser no mínimo {most}.",
  refused_large: "Isto deve ser no máximo {most}.",
  left_picture: "A imagem fica fora: o endereço dela não é um endereço da web.",
  left_category: "A categoria {name} fica fora: a loja já tem todas as que pode ter.",
  left_sku: "O SKU {name} fica fora: outro produto já o tem.",
};
