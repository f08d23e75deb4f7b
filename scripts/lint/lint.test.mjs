import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Files, and the faults to be found in each, because a wrongly configured linter finds nothing. */
const files = {
  'src/service/late.ts': {
    text: 'async function pay() { await Promise.resolve() }\nexport function later() { pay() }',
    rules: ['typescript(no-floating-promises)'],
  },
  'src/service/loose.ts': {
    text: 'export const read = (text: string) => { const value = JSON.parse(text); return value.cents }',
    rules: [
      'typescript(no-unsafe-assignment)',
      'typescript(no-unsafe-member-access)',
      'typescript(no-unsafe-return)',
    ],
  },
  'src/service/cast.ts': {
    text: 'export const cents = (value: unknown) => value as number',
    rules: ['typescript(consistent-type-assertions)'],
  },
  'src/service/date.ts': {
    text: 'export const dates = () => [new Date(), Date(), Date.now(), new Date(0)]\nexport const now = Date.now',
    rules: Array(4).fill('house(no-machine-date)'),
  },
  'src/service/environment.ts': {
    text: "export default process.env['PORT']",
    rules: ['house(no-default-export)', 'house(no-environment)'],
  },
  'src/service/program.ts': {
    text: "import { spawn } from 'node:child_process'\nexport const start = () => spawn('true')",
    rules: ['eslint(no-restricted-imports)'],
  },
  'src/sdk/send.ts': {
    text: "export const send = (page: Window) => { page.postMessage(localStorage.length, '*'); void page.name }",
    rules: ['eslint(no-restricted-globals)', 'house(no-post-message)', 'house(no-void-without-call)'],
  },
  'src/frame/send.ts': {
    text: "export const send = async () => { await fetch('/v1') }",
    rules: ['eslint(no-restricted-globals)'],
  },
  'src/service/allowed.test.ts': {
    text: "export const dates = [Date.now(), process.env['PORT']]\nconsole.log(dates)",
    rules: [],
  },
  'scripts/undefined.mjs': { text: 'console.log(process.pid, nothing)', rules: ['eslint(no-undef)'] },
}

const settings = ['.oxlintrc.jsonc', 'tsconfig.json', 'scripts/lint']
let folder
let diagnostics

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-'))
  for (const path of settings) await cp(path, join(folder, path), { recursive: true })
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  for (const [path, { text }] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${text}\n`)
  }
  const output = await lint(folder)
  diagnostics = JSON.parse(output).diagnostics
}, 60_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

function lint(cwd) {
  const parameters = ['node_modules/oxlint/bin/oxlint', '--format=json']
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { cwd }, (_error, stdout) => resolve(stdout))
  })
}

describe('the linter', () => {
  it.each(Object.entries(files))('finds the faults of %s, and no others', (path, { rules }) => {
    const said = diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code)
    expect(said.toSorted()).toEqual(rules)
  })
})
