import { page as agreements } from '../../../../docs/agreements.md'
import { page as checkout } from '../../../../docs/checkout.md'
import { page as contract } from '../../../../docs/contract.md'
import { page as threeDSecure } from '../../../../docs/guides/3-d-secure.md'
import { page as authentication } from '../../../../docs/guides/authentication.md'
import { page as errorsAndRetries } from '../../../../docs/guides/errors-and-retries.md'
import { page as firstPayment } from '../../../../docs/guides/first-payment.md'
import { page as goingLive } from '../../../../docs/guides/going-live.md'
import { page as idempotency } from '../../../../docs/guides/idempotency.md'
import { page as metadata } from '../../../../docs/guides/metadata.md'
import { page as pagination } from '../../../../docs/guides/pagination.md'
import { page as pciDss } from '../../../../docs/guides/pci-dss.md'
import { page as testing } from '../../../../docs/guides/testing.md'
import { page as versions } from '../../../../docs/guides/versions.md'
import { page as releases } from '../../../../docs/releases.md'
import { page as serverClient } from '../../../../docs/server-client.md'
import { page as webhooks } from '../../../../docs/webhooks.md'
import { page as widget } from '../../../../docs/widget.md'
import { isOfThisMachine } from '../../settings/addresses.ts'
import type { DocsPage } from './page-shell.ts'

/** The guides in the order in which one needs them, as the build makes them of Markdown. */
const GUIDES: readonly GuideModule[] = [
  firstPayment,
  authentication,
  serverClient,
  idempotency,
  errorsAndRetries,
  threeDSecure,
  webhooks,
  pagination,
  metadata,
  versions,
  testing,
  goingLive,
  pciDss,
]

/** What goes into every detail of one part. */
const DETAILS: readonly GuideModule[] = [widget, checkout, agreements, releases, contract]

/** Where a service is reached. */
export interface Served {
  baseUrl: string
  widgetUrl: string
}

/** The guides, and the pages of details, as a service shows them. */
export function guidePages(served: Served): { guides: DocsPage[]; details: DocsPage[] } {
  const toPage = ({ name, title, summary, html: written, parts }: GuideModule): DocsPage => {
    const html = asServed(written, served)
    const shown = parts.filter(({ id }) => html.includes(` id="${id}"`))
    return { path: `/docs/guides/${name}`, title, summary, body: { html }, parts: shown }
  }
  return { guides: GUIDES.map(toPage), details: DETAILS.map(toPage) }
}

/**
 * The files are written for a service on one's own machine. Their addresses become those of this service; on one that others run, what stands
 * between `<!-- local -->` and `<!-- /local -->` is left out, and what stands in `<!-- hosted: … -->` is shown in its place.
 */
function asServed(html: string, { baseUrl, widgetUrl }: Served): string {
  const addressed = html
    .replaceAll('http://localhost:8080/sdk', () => `${widgetUrl}/sdk`)
    .replaceAll('http://localhost:8080', () => baseUrl)
  if (isOfThisMachine(baseUrl)) return addressed
  return addressed
    .replaceAll('https://YOUR-SERVICE/sdk', () => `${widgetUrl}/sdk`)
    .replaceAll('https://YOUR-SERVICE', () => baseUrl)
    .replace(/<!-- local -->.*?<!-- \/local -->/gs, '')
    .replace(/<!-- hosted: (.*?) -->/gs, '<p>$1</p>')
    .replace(/\$\(node -p [^\n]*?demo\.json[^\n]*\)(?=\n|<)/g, '…')
}
