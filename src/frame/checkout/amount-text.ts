/** An amount in units of a currency → as people write it in a language: `A$49.00`, `49,00 AU$`. */
export function amountText(amount: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
}
