import * as v from 'valibot'
import type { PciKit, ScriptEntry } from '../../../contract/dashboard/company/pci.ts'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import { isScript, latestOf, recommend, WIDGET } from './release.ts'
import type { OfferedReleases, Release } from './release.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()) })

/**
 * What a merchant needs for its self-assessment (PCI DSS 4.0.1, requirement 6.4.3): every script of the payment page, why it is there,
 * and how its integrity is assured. It is about the release that checkouts of the newest version load; null if there is none.
 */
export function pciKitOf({ releases, environment, widgetUrl }: OfferedReleases): PciKit | null {
  const release = releaseInUse(releases, environment)
  const widget = release?.files.get(WIDGET)
  if (!release || !widget) return null
  const folder = `${widgetUrl}/sdk/v${release.version}`
  const url = `${folder}/${WIDGET}`
  return {
    release: release.version,
    files: filesFrom(release, folder),
    scripts: [pageScript(url, widget.integrity), ...frameScripts(release, folder)],
    script_tag: `<script src="${url}" integrity="${widget.integrity}" crossorigin="anonymous"></script>`,
    content_security_policy: `script-src 'self' ${widgetUrl}; frame-src ${widgetUrl}; object-src 'none'; base-uri 'self'`,
  }
}

function releaseInUse(releases: readonly Release[], environment: string): Release | null {
  const workflowVersion = Math.max(...WORKFLOW_VERSIONS.map(({ version }) => version))
  return recommend(releases, { workflowVersion, environment }) ?? latestOf(releases)
}

function filesFrom({ files }: Release, folder: string): PciKit['files'] {
  return [...files]
    .filter(([path]) => isScript(path))
    .map(([path, { content, integrity }]) => ({ url: `${folder}/${path}`, bytes: content.length, integrity }))
}

function pageScript(url: string, integrity: string): ScriptEntry {
  return {
    place: 'page',
    url,
    integrity,
    purpose:
      'Shows the card form and the checkout in a frame of another origin. It sees no card data: that never leaves the frame.',
    assurance:
      'The browser compares it with the hash in the script tag (Subresource Integrity). What is at this address never changes.',
  }
}

const PURPOSES = {
  frame: 'Takes the card and sends it to the service, and to nobody else.',
  checkout: 'Shows what is paid, takes the card, and sends it to the service and to nobody else.',
}

/** The purpose of the script before the one that does the work. */
const FIRST_PURPOSE = 'Reads from its address in which colours it is shown until the page says so.'

function frameScripts(release: Release, folder: string): ScriptEntry[] {
  const kinds = ['frame', 'checkout'] as const
  return kinds.flatMap((kind) => {
    const hashes = release.files.get(`frame/${kind}.json`)
    if (hashes === undefined) return []
    const { script_hashes } = v.parse(Hashes, JSON.parse(hashes.content.toString()))
    return script_hashes.map((integrity, index) => ({
      place: 'frame' as const,
      url: `${folder}/${kind}`,
      integrity,
      purpose: index < script_hashes.length - 1 ? FIRST_PURPOSE : PURPOSES[kind],
      assurance:
        'It stands in the document, whose Content-Security-Policy runs what has this hash and nothing else. The service serves it.',
    }))
  })
}
