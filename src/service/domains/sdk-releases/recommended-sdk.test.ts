import { describe, expect, it } from 'vitest'
import { testRelease } from '../../testing/test-release.ts'
import { createRecommendedSdk, recommend } from './recommended-sdk.ts'

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

  it('is none where there is no release', () =>
    expect(recommend([], { environment: 'sandbox', workflowVersion: 1 })).toBeNull())
})

describe('the recommended SDK', () => {
  const releases = [
    testRelease('1.1.0', { workflowVersions: [1, 2], texts: { 'widget.umd.min.js': 'new' } }),
    testRelease('1.0.0', { workflowVersions: [1] }),
  ]
  const recommendedSdk = createRecommendedSdk({
    releases,
    environment: 'sandbox',
    widgetUrl: 'https://cards.example',
  })

  it('is the script of the release that fits, with its hash', () => {
    expect(recommendedSdk(2)).toEqual({
      url: 'https://cards.example/sdk/v1.1.0/widget.umd.min.js',
      integrity: releases[0]?.files.get('widget.umd.min.js')?.integrity,
    })
  })

  it('is none where no release fits', () => expect(recommendedSdk(3)).toBeNull())
})
