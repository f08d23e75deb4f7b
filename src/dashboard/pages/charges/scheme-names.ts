/** Card schemes as they write their names, by their names on the wire; the common ones first. */
export const SCHEME_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  diners: 'Diners Club',
  discover: 'Discover',
  japcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  mir: 'Mir',
  elo: 'Elo',
  hiper: 'Hiper',
  hipercard: 'Hipercard',
  rupay: 'RuPay',
  mada: 'mada',
  dankort: 'Dankort',
  verve: 'Verve',
  troy: 'Troy',
  meeza: 'Meeza',
  naranja: 'Naranja',
  cabal: 'Cabal',
  carnet: 'Carnet',
  lankapay: 'LankaPay',
  ukrcard: 'UkrCard',
  shopping: 'Tarjeta Shopping',
  argencard: 'Argencard',
  codensa: 'Codensa',
  ausbc: 'Bankcard',
  laser: 'Laser',
  solo: 'Solo',
}

/** The name of a card scheme; one that is not known stays as the service has it. */
export function schemeName(scheme: string): string {
  return SCHEME_NAMES[scheme] ?? scheme
}
