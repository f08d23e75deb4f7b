import { page as agreements } from '../../../../docs/agreements.md'
import { page as checkout } from '../../../../docs/checkout.md'
import { page as contract } from '../../../../docs/contract.md'
import { page as authentication } from '../../../../docs/guides/authentication.md'
import { page as errorsAndRetries } from '../../../../docs/guides/errors-and-retries.md'
import { page as firstPayment } from '../../../../docs/guides/first-payment.md'
import { page as goingLive } from '../../../../docs/guides/going-live.md'
import { page as idempotency } from '../../../../docs/guides/idempotency.md'
import { page as pagination } from '../../../../docs/guides/pagination.md'
import { page as pciDss } from '../../../../docs/guides/pci-dss.md'
import { page as testing } from '../../../../docs/guides/testing.md'
import { page as versions } from '../../../../docs/guides/versions.md'
import { page as releases } from '../../../../docs/releases.md'
import { page as serverClient } from '../../../../docs/server-client.md'
import { page as webhooks } from '../../../../docs/webhooks.md'
import { page as widget } from '../../../../docs/widget.md'
import type { DocsPage } from './page-shell.ts'

/** The guides in the order in which one needs them, as the build makes them of Markdown. */
export const guides: readonly DocsPage[] = [
  firstPayment,
  authentication,
  serverClient,
  idempotency,
  errorsAndRetries,
  webhooks,
  pagination,
  versions,
  testing,
  goingLive,
  pciDss,
].map(toPage)

/** What goes into every detail of one part. */
export const details: readonly DocsPage[] = [widget, checkout, agreements, releases, contract].map(toPage)

function toPage({ name, title, summary, html, parts }: GuideModule): DocsPage {
  return { path: `/docs/guides/${name}`, title, summary, body: { html }, parts }
}
