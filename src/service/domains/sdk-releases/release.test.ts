import { describe, expect, it } from 'vitest'
import { testRelease } from '../../testing/test-release.ts'
import { isStable, latestOf, newestFirst, recommend, recommendedSdk } from './release.ts'

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

const release = (version: string, ...workflowVersions: number[]) => ({ version, workflowVersions })

const kept = [
  release('1.9.0', 1),
  release('1.10.0', 1, 2),
  release('1.2.0', 1),
  release('1.11.0-beta.2', 1, 2),
  release('1.11.0-beta.10', 1, 2),
  release('1.11.0-alpha.3', 1, 2, 3),
  release('2.0.0-beta.1', 2, 3),
  release('2.0.0-rc.1', 2, 3),
]

describe('the recommended release', () => {
  it.each([
    ['sandbox', 1, '1.10.0'],
    ['sandbox', 2, '1.10.0'],
    ['staging_svc', 2, '1.10.0'],
    ['production_svc', 1, '1.10.0'],
    ['production_svc', 3, null],
    ['preproduction_svc', 1, '1.11.0-beta.10'],
    ['preproduction_svc', 2, '2.0.0-beta.1'],
    ['preproduction_svc', 3, '2.0.0-beta.1'],
    ['preproduction_svc', 4, null],
    ['production_svc', 0, null],
  ])('in %s for workflow version %i is %s', (environment, workflowVersion, version) => {
    expect(recommend(kept, { environment, workflowVersion })?.version ?? null).toBe(version)
  })

  it('in pre-production is the stable one again once it is newer than the beta', () => {
    const releases = [release('1.1.0-beta.1', 1), release('1.1.0', 1)]
    const page = { environment: 'preproduction_svc', workflowVersion: 1 }
    expect(recommend(releases, page)?.version).toBe('1.1.0')
  })

  it('is none if there is no release', () =>
    expect(recommend([], { environment: 'sandbox', workflowVersion: 1 })).toBeNull())
})

describe('the recommended SDK', () => {
  const releases = [
    testRelease('1.1.0', { workflowVersions: [1, 2], texts: { 'widget.umd.min.js': 'new' } }),
    testRelease('1.0.0', { workflowVersions: [1] }),
  ]
  const offered = { releases, environment: 'sandbox', widgetUrl: 'https://cards.example' }

  it('is the script of the release that fits, with its hash', () => {
    expect(recommendedSdk(offered, 2)).toEqual({
      url: 'https://cards.example/sdk/v1.1.0/widget.umd.min.js',
      integrity: releases[0]?.files.get('widget.umd.min.js')?.integrity,
      release: 'v1.1.0',
      origin: 'https://cards.example',
      adoptsForms: false,
    })
  })

  it.each([
    ['1.2.9', false],
    ['1.3.0-beta.1', true],
    ['1.3.0', true],
    ['2.0.0', true],
  ])('of %s adopts a form of the page: %s', (version, adoptsForms) => {
    const page = { releases: [testRelease(version)], environment: 'preproduction_svc', widgetUrl: '' }
    expect(recommendedSdk(page, 1)?.adoptsForms).toBe(adoptsForms)
  })

  it('is none if no release fits', () => expect(recommendedSdk(offered, 3)).toBeNull())
})
