import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const document = readFileSync('docs/security.md', 'utf8')
const named = [...document.matchAll(/`([\w./-]+\.ts)`: “([^”]+)”/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

describe('every test that docs/security.md names is there', () => {
  it.each(named)('$file: $title', ({ file, title }) => {
    expect(existsSync(file)).toBe(true)
    const written = [title, title.replaceAll("'", "\\'")]
    expect(written.some((one) => readFileSync(file, 'utf8').includes(one))).toBe(true)
  })

  it('and every protection names one', () => {
    const rows = document
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| What'))
    expect(rows.filter((row) => !/`[\w./-]+\.ts`: “/.test(row))).toEqual([])
    expect(rows.length).toBeGreaterThan(15)
  })
})
