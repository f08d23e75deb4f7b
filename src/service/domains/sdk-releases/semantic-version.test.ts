import { describe, expect, it } from 'vitest'
import { compareVersions, semanticVersionOf } from './semantic-version.ts'

describe('a version', () => {
  it.each([
    '0.0.0',
    '1.0.0',
    '10.20.30',
    '1.0.0-beta',
    '1.0.0-beta.1',
    '1.0.0-x-y.7.z',
    '1.0.0+7',
    '1.0.0-a+b',
  ])('%s is one', (text) => expect(semanticVersionOf(text)).not.toBeNull())

  it.each([
    '',
    '1',
    '1.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-01',
    '1.0.0-a..b',
    '1.0.0+',
    ' 1.0.0',
    '1.0.0\n',
  ])('%j is none', (text) => expect(semanticVersionOf(text)).toBeNull())
})

describe('of two versions', () => {
  it.each([
    ['1.9.0', '1.10.0'],
    ['1.0.9', '1.0.10'],
    ['9.9.9', '10.0.0'],
    ['1.0.0-beta', '1.0.0'],
    ['1.0.0', '1.0.1-beta'],
    ['1.0.0-alpha', '1.0.0-beta'],
    ['1.0.0-beta', '1.0.0-beta.1'],
    ['1.0.0-beta.2', '1.0.0-beta.10'],
    ['1.0.0-beta.10', '1.0.0-beta.x'],
    ['1.0.0-beta.11', '1.0.0-rc.1'],
    ['1.0.99999999999999999998', '1.0.99999999999999999999'],
    ['1.0.0-beta+9', '1.0.0+1'],
    ['1.0.0+1', '1.0.0+2'],
  ])('%s is the older of it and %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0)
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
  })

  it('build metadata alone decides nothing that a version number decides', () => {
    expect(compareVersions('1.0.0+z', '1.0.1+a')).toBeLessThan(0)
  })

  it('each is as old as itself', () => expect(compareVersions('1.0.0-beta.1', '1.0.0-beta.1')).toBe(0))

  it('one that is none has no age', () => expect(() => compareVersions('1.0.0', 'new')).toThrow(/new/))
})
