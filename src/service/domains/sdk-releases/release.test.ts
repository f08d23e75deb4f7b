import { describe, expect, it } from 'vitest'
import { isStable, latestOf, newestFirst } from './release.ts'

const versioned = (...versions: string[]) => versions.map((version) => ({ version }))

describe('the newer release comes first:', () => {
  it.each([
    ['1.10.0', '1.9.0'],
    ['1.0.10', '1.0.9'],
    ['10.0.0', '9.9.9'],
    ['1.0.0', '1.0.0-beta'],
    ['1.0.1-beta', '1.0.0'],
    ['1.0.0-beta', '1.0.0-alpha'],
    ['1.0.0-beta.1', '1.0.0-beta'],
    ['1.0.0-beta.10', '1.0.0-beta.2'],
    ['1.0.0-beta.x', '1.0.0-beta.10'],
    ['1.0.0-rc.1', '1.0.0-beta.11'],
    ['1.0.0+1', '1.0.0-beta+9'],
    ['1.0.0+2', '1.0.0+1'],
    ['1.0.1+a', '1.0.0+z'],
  ])('%s before %s', (newer, older) => {
    expect(newestFirst(versioned(newer, older))).toEqual(versioned(newer, older))
    expect(newestFirst(versioned(older, newer))).toEqual(versioned(newer, older))
  })
})

describe('latest', () => {
  it.each([
    [['1.9.0', '1.10.0', '2.0.0-beta.1'], '1.10.0'],
    [['1.0.0-beta.2', '1.0.0-beta.10'], '1.0.0-beta.10'],
  ])('of %j is %s', (versions, latest) => expect(latestOf(versioned(...versions))?.version).toBe(latest))

  it('of none is none', () => expect(latestOf([])).toBeNull())
})

it.each([
  ['1.0.0', true],
  ['1.0.0+7', true],
  ['1.0.0-beta', false],
  ['1.0.0-0', false],
])('%s is stable: %s', (version, stable) => expect(isStable(version)).toBe(stable))
