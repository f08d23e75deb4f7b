/** Characters that would begin a new line, change the reading order, or be commands to the terminal. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu
const codeOf = (mark: string) => (mark.codePointAt(0) ?? 0).toString(16)

/**
 * A line with texts that a merchant or another server has chosen, such as a company's name: its control characters are written as
 * `\u{1b}`, so that they can neither add lines to a list nor send commands to the operator's terminal.
 */
export function onOneLine(line: string): string {
  return line.replace(NOT_SHOWN, (mark) => `\\u{${codeOf(mark)}}`)
}

/** A JSON document for a terminal or a program: JSON's own escapes for those characters, which it leaves as they are above U+001F. */
function toJson(document: object): string {
  const escaped = (mark: string) => (mark === '\n' ? mark : `\\u${codeOf(mark).padStart(4, '0')}`)
  return JSON.stringify(document, null, 2).replace(NOT_SHOWN, escaped)
}

/** What a command tells. Only what it was called for goes to standard output. */
export interface Output {
  /** Part of the answer, on a line of standard output. */
  line: (text: string) => void
  /** The whole answer: as one JSON document where the caller wants that, else in these lines; by themselves, a line for each field. */
  show: (format: Format, document: object, lines?: readonly string[]) => void
  /** A remark beside the answer, on a line of standard error. */
  note: (text: string) => void
}

/** The option `--json` of commands that show something. */
export interface Format {
  json?: true | undefined
}

/** `say`, `complain`: write to standard output, to standard error. */
export function outputBy(say: (text: string) => void, complain: (text: string) => void): Output {
  const line = (text: string) => say(`${onOneLine(text)}\n`)
  return {
    line,
    show({ json }, document, lines = factsOf(document)) {
      if (json === true) say(`${toJson(document)}\n`)
      else lines.forEach(line)
    },
    note: (text) => complain(`${onOneLine(text)}\n`),
  }
}

/** Each field with its value; a list in a field has a line for each entry. */
function factsOf(document: object): string[] {
  const fields = Object.entries(document)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => `${name.padEnd(width)}  ${wordsOf(one)}`),
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return Object.values(value).map(wordsOf).join('  ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
