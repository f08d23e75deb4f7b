import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PciKit } from '../../../contract/dashboard/company/pci.ts'
import { testRelease } from '../../testing/test-release.ts'
import { pciKitOf } from './pci-kit.ts'

const widgetUrl = 'https://w.example'
const kitOf = (versions: readonly string[], environment = 'sandbox') => {
  const kit = pciKitOf({
    releases: versions.map((version) => testRelease(version, { workflowVersions: [1, 2] })),
    environment,
    widgetUrl,
  })
  return kit === null ? null : v.parse(PciKit, kit)
}

it('is of the release that checkouts load', () => {
  expect(kitOf(['1.0.0', '1.2.0', '1.3.0-beta.1'])?.release).toBe('1.2.0')
  expect(kitOf(['1.2.0', '1.3.0-beta.1'], 'preproduction_svc')?.release).toBe('1.3.0-beta.1')
  expect(kitOf([])).toBeNull()
})

it('names every script, why it is there, and the hash that a browser holds it against', () => {
  const kit = kitOf(['1.2.0'])
  const url = `${widgetUrl}/sdk/v1.2.0/widget.umd.min.js`
  const integrity = testRelease('1.2.0').files.get('widget.umd.min.js')?.integrity ?? ''
  expect(kit?.files).toEqual([{ url, bytes: 10, integrity }])
  expect(kit?.scripts).toMatchObject([
    { place: 'page', url, integrity },
    { place: 'frame', url: `${widgetUrl}/sdk/v1.2.0/frame`, integrity: 'sha256-a' },
  ])
  for (const { purpose, assurance } of kit?.scripts ?? [])
    expect(purpose.length * assurance.length).toBeGreaterThan(0)
  expect(kit?.script_tag).toBe(
    `<script src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
  )
  expect(kit?.content_security_policy).toMatch(
    /^script-src 'self' https:\/\/w\.example; frame-src https:\/\/w\.example;/,
  )
})
