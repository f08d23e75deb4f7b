import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cards that tests, proofs and demos pay with (contract §4, sandbox gateway), and their codes. */
const NUMBERS = ['5111111111111118', '4012000033330026', '371449635398431']
const CODES = ['100', '739', '1000', '7391']
const CODE_NAMES = ['card_ccv', 'code', 'cvc']

/** One expression for every trace, so that a file (16 MB of write-ahead log, for one) is read through once. All are ASCII. */
const TRACES = new RegExp(
  [
    ...NUMBERS.flatMap(formsOfNumber),
    ...CODES.flatMap((code) => CODE_NAMES.flatMap((name) => formsOfCode(name, code))),
  ]
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
)

/** The first trace of a test card in bytes or a text: a number in one of its forms, or a code by its name; null where there is none. */
export function cardTraceIn(content: Buffer | string): string | null {
  const text = typeof content === 'string' ? content : content.toString('latin1')
  return TRACES.exec(text)?.[0] ?? null
}

/** Throws when any file below a folder contains a trace of a test card: logs, and a database's tables and write-ahead log. */
export function refuseCardTraces(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  // Most files of a test database are unchanged copies of the migrated database's, under the same names.
  const clean = new Map<string, Buffer>()
  const faults = files.flatMap(({ parentPath, name }) => {
    const content = readFileSync(join(parentPath, name))
    if (clean.get(name)?.equals(content) === true) return []
    const trace = cardTraceIn(content)
    if (trace === null && !clean.has(name)) clean.set(name, content)
    return trace === null ? [] : [`${join(parentPath, name)} holds ${trace}`]
  })
  if (faults.length > 0) throw new Error(`a card was kept where it must not be:\n${faults.join('\n')}`)
}

/** Plain, in groups, in hex, and in base64 wherever it begins there. */
function formsOfNumber(number: string): string[] {
  const groups = number.startsWith('3') ? /(\d{4})(\d{6})(\d{5})/ : /(\d{4})(\d{4})(\d{4})(\d{4})/
  const [, ...parts] = groups.exec(number) ?? []
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + number).toString('base64')
    return text.slice(before === 0 ? 0 : 4, -4)
  })
  return [number, parts.join(' '), parts.join('-'), Buffer.from(number).toString('hex'), ...base64]
}

/** As JSON, as JSON within a text, in an address. */
function formsOfCode(name: string, code: string): string[] {
  return [`"${name}":"${code}"`, `"${name}": "${code}"`, `\\"${name}\\":\\"${code}\\"`, `${name}=${code}`]
}
