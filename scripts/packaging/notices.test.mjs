import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, describe, expect, it } from 'vitest'
import { isAllowed } from './licences.mjs'
import { billText, noticesText } from './notices.mjs'

const root = mkdtempSync(join(tmpdir(), 'svc-notices-'))
afterAll(() => rmSync(root, { recursive: true }))

const MIT = 'Copyright (c) 2026 A. Author\n\nPermission is hereby granted, free of charge, …'
const artefact = { name: 'shipped', version: '1.0.0', license: 'MIT', type: 'library' }

/** A package on the disk, with these files. */
function packageOf(license, files = { LICENSE: MIT }, name = '@scope/part') {
  const folder = mkdtempSync(join(root, 'package-'))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return { name, version: '2.1.0', license, folder }
}

const textOf = (...contained) => noticesText({ artefact, contained, loaded: [] })

describe('a licence', () => {
  it.each(['MIT', 'ISC', 'Apache-2.0', '(MIT OR GPL-3.0-only)', '(MIT AND BSD-3-Clause)'])(
    'that allows commercial use is taken: %s',
    (license) => expect(textOf(packageOf(license))).toContain(`@scope/part 2.1.0 (${license})`),
  )

  it.each([
    'CC-BY-NC-4.0',
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'BUSL-1.1',
    'UNLICENSED',
    'SEE LICENSE IN licence.txt',
    '(MIT AND CC-BY-NC-4.0)',
    'Apache-2.0 WITH LLVM-exception',
    undefined,
    { type: 'MIT' },
  ])('that is not on the list ends the build: %o', (license) =>
    expect(() => textOf(packageOf(license))).toThrow(/@scope\/part 2\.1\.0 has the licence .* not among/),
  )
})

describe('the text of a licence', () => {
  it('is read from a file, the notices beside it, or the README', () => {
    const files = { 'LICENCE.md': MIT, NOTICE: 'Portions by B. Author' }
    expect(textOf(packageOf('MIT', files))).toMatch(/A\. Author[\s\S]*Portions by B\. Author/)
    const readme = { 'README.md': `# Part\nwords\n## License\n${MIT}` }
    expect(textOf(packageOf('MIT', readme))).toContain('Copyright (c) 2026 A. Author')
    expect(textOf(packageOf('MIT', readme))).not.toContain('words')
  })

  it('that several packages share is written once, with all their names', () => {
    const text = textOf(packageOf('MIT', undefined, 'one'), packageOf('MIT', undefined, 'two'))
    expect(text.split('A. Author')).toHaveLength(2)
    expect(text).toContain('\none 2.1.0, two 2.1.0\n')
  })

  it.each([
    ['no file', {}],
    ['a link alone', { 'README.md': '## License\n[MIT](https://example.com)' }],
  ])('that is missing ends the build and says where to put it: %s', (_, files) =>
    expect(() => textOf(packageOf('MIT', files))).toThrow('scripts/packaging/licences/@scope__part.txt'),
  )

  it('of a package that leaves it out is kept here', () =>
    expect(textOf(packageOf('MIT', {}, 'abstract-logging'))).toContain('Copyright (c) James Sumners'))
})

it('a bill of materials is reproducible, and marks packages that are optional', () => {
  const parts = { artefact, contained: [packageOf('MIT')], loaded: [packageOf('ISC', undefined, 'other')] }
  expect(billText(parts)).toBe(billText(parts))
  const { components } = JSON.parse(billText(parts))
  expect(components.map(({ purl, scope }) => [purl, scope]).toSorted()).toEqual([
    ['pkg:npm/%40scope/part@2.1.0', 'required'],
    ['pkg:npm/other@2.1.0', 'optional'],
  ])
})

/** Tools, which are not shipped, may also ask to show changes of their own files, or who wrote their data. */
const OF_TOOLS_ALONE = ['CC-BY-3.0', 'CC-BY-4.0', 'MPL-2.0', 'Python-2.0']

it('no installed package forbids commercial use', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const others = Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && link !== true)
    .filter(([, { license }]) => !OF_TOOLS_ALONE.includes(license) && !isAllowed(license))
    .map(([path, { license }]) => `${path}: ${license}`)
  expect(others).toEqual([])
})

const BILLS = existsSync('dist/.built')
  ? readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('sbom.cdx.json'))
  : []

describe.skipIf(BILLS.length === 0)('what is built', () => {
  it('has notices and a bill of materials for every artefact', () =>
    expect(BILLS.map((path) => path.split('/')[0]).toSorted()).toEqual([
      'dashboard',
      'frame',
      'npm',
      'npm-server',
      'sdk',
      'service',
    ]))

  it.each(BILLS)('%s is as the schema of CycloneDX asks', async (path) => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(readFileSync(join('dist', path), 'utf8'))).toBeNull()
  })

  it.each(BILLS)('%s names every package whose code was bundled, and its notices too', (path) => {
    const folder = join('dist', path, '..')
    const lists = readdirSync(folder, { recursive: true }).filter((name) => name.includes('.packages.'))
    const { components = [] } = JSON.parse(readFileSync(join('dist', path), 'utf8'))
    const purls = components.map(({ purl }) => decodeURIComponent(purl))
    const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(lists.length).toBeGreaterThan(0)
    for (const list of lists)
      for (const one of JSON.parse(readFileSync(join(folder, list), 'utf8'))) {
        const { name, version } = JSON.parse(readFileSync(join(one, 'package.json'), 'utf8'))
        expect(purls).toContain(`pkg:npm/${name}@${version}`)
        expect(notices).toContain(`${name} ${version}`)
      }
  })

  it('names the copyright of every package in the framed documents', () => {
    const notices = readFileSync('dist/frame/THIRD-PARTY-NOTICES.txt', 'utf8')
    for (const holder of ['Preact Team', 'Jason Miller', 'Fabian Hiller', 'Braintree'])
      expect(notices).toContain(holder)
  })
})
