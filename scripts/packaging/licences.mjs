import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import parseExpression from 'spdx-expression-parse'

/** Licences that allow commercial use, and ask no more of who uses a program than to keep their text. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
])

/** Texts of packages that name their licence and leave it out. */
const KEPT_TEXTS = resolve(import.meta.dirname, 'licences')

/** Throws unless a package's licence is one of those. */
export function refuseLicence(one) {
  if (isAllowed(one.license)) return
  throw new Error(
    `notices: ${nameOf(one)} has the licence ${JSON.stringify(one.license)}, which is not among those that are allowed (scripts/packaging/licences.mjs)`,
  )
}

/** Whether a licence, as package.json names it, is one of those, or leaves the choice of one. */
export function isAllowed(licence) {
  if (typeof licence !== 'string') return false
  const satisfies = ({ license, exception, plus, conjunction, left, right }) => {
    if (conjunction === 'or') return satisfies(left) || satisfies(right)
    if (conjunction === 'and') return satisfies(left) && satisfies(right)
    return ALLOWED.has(license) && exception === undefined && plus !== true
  }
  try {
    return satisfies(parseExpression(licence))
  } catch {
    return false
  }
}

/** The licence as its package carries it, with notices beside it: in files of their own, or as the last part of its README. Throws where it has none. */
export function licenceText(one) {
  const texts = readdirSync(one.folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(?:licen[cs]e|copying|notice|copyright)/i.test(entry.name))
    .map(({ name }) => readFileSync(join(one.folder, name), 'utf8'))
  const text = texts.length > 0 ? texts.map(ownPart).join('\n\n') : (keptText(one) ?? readmeText(one))
  if (text === null)
    throw new Error(
      `notices: ${nameOf(one)} comes without the text of its licence: put it into scripts/packaging/licences/${fileOf(one)}`,
    )
  return text.replaceAll('\r\n', '\n').trim()
}

/** Of a text that goes on with the licences of what the package's own programs contain, which is not what is taken here. */
const ownPart = (text) => text.split(/^# Licenses of bundled dependencies$/m)[0]

const fileOf = ({ name }) => `${name.replace('/', '__')}.txt`

function keptText(one) {
  const path = join(KEPT_TEXTS, fileOf(one))
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function readmeText({ folder }) {
  const name = readdirSync(folder).find((file) => /^readme(?:\.md)?$/i.test(file))
  if (name === undefined) return null
  const [, text] = /^#+ *licen[cs]e\s*$([\s\S]*)/im.exec(readFileSync(join(folder, name), 'utf8')) ?? []
  return text?.includes('Permission is hereby granted') ? text : null
}

/** A package as people name it. */
export const nameOf = ({ name, version }) => `${name} ${version}`
