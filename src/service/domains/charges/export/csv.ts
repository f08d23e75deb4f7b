/**
 * A line of a CSV file (RFC 4180). What comes from a shopper or a merchant may begin with a character by which a spreadsheet takes
 * it for a formula (OWASP, "CSV Injection"): such a text gets an apostrophe before it, also after a character that a spreadsheet of
 * another country takes for the end of a cell.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

const BEGINS_FORMULA = /(^|[,;|\t\r\n])([\s"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const HAS_TO_BE_QUOTED = /[",;|\s]/

function toCell(text: string): string {
  const safe = text.replace(BEGINS_FORMULA, "$1$2'")
  return HAS_TO_BE_QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
