import agreements from '../../../../docs/agreements.md'
import checkout from '../../../../docs/checkout.md'
import contract from '../../../../docs/contract.md'
import authentication from '../../../../docs/guides/authentication.md'
import errorsAndRetries from '../../../../docs/guides/errors-and-retries.md'
import firstPayment from '../../../../docs/guides/first-payment.md'
import goingLive from '../../../../docs/guides/going-live.md'
import idempotency from '../../../../docs/guides/idempotency.md'
import pagination from '../../../../docs/guides/pagination.md'
import pciDss from '../../../../docs/guides/pci-dss.md'
import testing from '../../../../docs/guides/testing.md'
import versions from '../../../../docs/guides/versions.md'
import releases from '../../../../docs/releases.md'
import webhooks from '../../../../docs/webhooks.md'
import widget from '../../../../docs/widget.md'
import type { DocsPage } from './page-shell.ts'

/** The guides in the order in which one needs them, as the build makes them of Markdown. */
export const guides: readonly DocsPage[] = [
  firstPayment,
  authentication,
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
