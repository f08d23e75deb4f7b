import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from './config.ts'
import { everyCommand, isRightCall, wordsIn } from './testing/operate.ts'

/** What a row of the settings' table names: `SVC_A_URL`, `_KEYS` stands for `SVC_A_URL` and `SVC_A_KEYS`. */
function namedIn(row: string): string[] {
  const [first = '', ...endings] = [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const stem = first.split('_')
  return [
    first,
    ...endings.flatMap((ending) =>
      ending.startsWith('SVC_')
        ? [ending]
        : stem.map((_, index) => stem.slice(0, index + 1).join('_') + ending),
    ),
  ]
}

it('every setting stands in the table of docs/operating.md', () => {
  const rows = readFileSync('docs/operating.md', 'utf8').match(/^\| `SVC_[^|]*/gm) ?? []
  const named = new Set(rows.flatMap(namedIn))
  const own = SETTING_NAMES.filter((name) => name.startsWith('SVC_'))
  expect(own.length).toBeGreaterThan(25)
  expect(own.filter((name) => !named.has(name))).toEqual([])
})

const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|ya?ml|service)$|Dockerfile$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
const TEXTS = ['README.md', 'CONTRIBUTING.md']
  .map((name) => readFileSync(name, 'utf8'))
  .concat(textsIn('docs'), textsIn('deploy'))

/** Calls of `svc` on lines of their own, in code blocks: with what stands before them, such as settings, left out. */
const blockCalls = TEXTS.flatMap((text) =>
  [...text.matchAll(/^ *(?:\w+=\S+ |[^#\n]*(?:exec|npx|--) (?:\S+ )*?)?svc ([a-z-]+ ?[^\n]*)$/gm)].map(
    ([, call = '']) => call,
  ),
)
/** What stands in a page for what an operator has. */
const PLACES = {
  KEY_ID: '0123456789abcdef',
  'LENGTH:HASH': `1:${'0'.repeat(64)}`,
  $SERVICE: 'http://localhost:8080',
}
const filled = (call: string) =>
  Object.entries(PLACES).reduce((line, [name, value]) => line.replaceAll(name, value), call)

/** Calls within sentences, which may leave out what is beside the point. */
const spokenCalls = TEXTS.flatMap((text) =>
  [...text.matchAll(/`svc ([a-z][^`]*)`/g)].map(([, call = '']) => call),
)

it('every command stands in a page of docs', async () => {
  const shown = [...blockCalls, ...spokenCalls]
  const commands = (await everyCommand()).filter(({ isGroup }) => !isGroup).map(({ path }) => path.join(' '))
  expect(commands.length).toBeGreaterThan(30)
  expect(commands.filter((path) => !shown.some((call) => `${call} `.startsWith(`${path} `)))).toEqual([])
})

it('every command that a page of docs or a file of deploy shows is a right call', async () => {
  expect(blockCalls.length).toBeGreaterThan(30)
  const wrong: string[] = []
  for (const call of blockCalls) if (!(await isRightCall(wordsIn(filled(call))))) wrong.push(call)
  expect(wrong).toEqual([])
})

it('every command that is named in a sentence exists', async () => {
  const paths = (await everyCommand()).map(({ path }) => path.join(' '))
  const isKnown = (call: string) => {
    const [group = '', verb = ''] = call.split(' ')
    return paths.includes(/^[a-z][a-z-]*$/.test(verb) ? `${group} ${verb}` : group)
  }
  expect(spokenCalls.length).toBeGreaterThan(10)
  expect(spokenCalls.filter((call) => !isKnown(call))).toEqual([])
})
