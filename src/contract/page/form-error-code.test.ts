import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ERROR_STATUS } from '../api/envelope.ts'
import { ANSWERED_ERROR_CODES, OWN_ERROR_CODES } from './form-error-code.ts'

const FORM_ERROR_CODES = [...OWN_ERROR_CODES, ...ANSWERED_ERROR_CODES]

/** Code that makes faults; the compiler holds it to this list. */
const SOURCES = ['src/sdk', 'src/frame', 'src/service/domains/sdk-releases']

const text = SOURCES.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing|test-double/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
).join('\n')

it.each(FORM_ERROR_CODES)('%s is a code that the form gives, or that the service answers it', (code) => {
  expect(text.includes(`'${code}'`) || Object.hasOwn(ERROR_STATUS, code)).toBe(true)
})

it.each(FORM_ERROR_CODES)('what %s means is documented', (code) => {
  const pages = ['widget', 'contract'].map((name) => readFileSync(`docs/${name}.md`, 'utf8'))
  expect(pages.join('\n')).toContain(code)
})

it('no code is there twice', () => {
  expect(new Set(FORM_ERROR_CODES).size).toBe(FORM_ERROR_CODES.length)
})
