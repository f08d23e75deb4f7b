import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from './config.ts'
import { COMMANDS } from './operator/commands.ts'

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

it('every command of the operator stands in a page of docs', () => {
  const pages = readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(`docs/${name}`, 'utf8'))
    .join('\n')
  const isShown = (name: string) => new RegExp(`npm run operator -- ${name}\\b`).test(pages)
  expect(COMMANDS.map(({ name }) => name).filter((name) => !isShown(name))).toEqual([])
})
