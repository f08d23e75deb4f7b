import { expect, it } from 'vitest'
import { testRelease } from '../../testing/test-release.ts'
import { createSdkFor } from './sdk-for.ts'

const releases = [
  testRelease('1.1.0', { workflowVersions: [1, 2], texts: { 'widget.umd.min.js': 'new' } }),
  testRelease('1.0.0', { workflowVersions: [1] }),
]
const sdkFor = createSdkFor({ releases, environment: 'sandbox', widgetUrl: 'https://cards.example' })

it('names the file of the release that fits, and its hash', () => {
  expect(sdkFor(2)).toEqual({
    url: 'https://cards.example/sdk/v1.1.0/widget.umd.min.js',
    integrity: releases[0]?.files.get('widget.umd.min.js')?.integrity,
  })
})

it('names none where none fits', () => expect(sdkFor(3)).toBeNull())
