import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The rows of the tables in docs/security.md: what is protected, how, and the titles of the tests that show it. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:-|What)/.test(line))

const titles = rows.flatMap((row) => [...row.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title))

const tests = ['src', 'attack', 'e2e']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|spec)\.tsx?$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8').replaceAll("\\'", "'")),
  )
  .join('\n')

describe('docs/security.md', () => {
  it.each(titles)('names a test that exists: %s', (title) => {
    expect(tests.includes(title)).toBe(true)
  })

  it('names a test for every protection', () => {
    expect(rows.filter((row) => !row.includes('“'))).toEqual([])
    expect(rows.length).toBeGreaterThan(15)
  })
})
