import type { VNode } from 'preact'
import { CheckoutWithJourney } from '../../../contract/api/checkouts/checkout-resource.ts'
import { useFormats, useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Link } from '../../components/actions/link.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { IdText } from '../../components/data/id-text.tsx'
import { TimeLine } from '../../components/data/time-line.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Notices } from '../../components/feedback/notices.tsx'
import { centsOf } from '../../formats/cents.ts'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Section } from '../../shell/section.tsx'
import { TitleWithState } from '../../shell/title-with-state.tsx'
import { TwoColumns } from '../../shell/two-columns.tsx'
import { useLiveReload } from '../../live/use-live.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { useSignal } from '@preact/signals'
import { failureOf } from '../../api/api.ts'
import { Button } from '../../components/actions/button.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { useChange } from '../../loading/use-change.ts'
import { checkoutTexts, stepTexts } from './texts.ts'
import { CheckoutStatus } from './checkout-status.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import type { TimeLineEntry } from '../../components/data/time-line.tsx'
import type { IconName } from '../../components/icon.tsx'

const texts = checkoutTexts.one
const BACK = { href: '/checkouts', words: checkoutTexts.title }

/** One checkout: what the shopper has done, and what is known of it. */
export function CheckoutPage({ id }: PageProps): VNode {
  const checkout = useResource(`/v1/checkouts/${encodeURIComponent(id)}`, CheckoutWithJourney)
  useLiveReload(
    (subject) => subject === id,
    () => void checkout.reload(),
  )
  return (
    <>
      {checkout.state.value.kind !== 'ready' && <PageHeader back={BACK} title={texts.title} />}
      <Loaded of={checkout}>
        {(loaded) => <CheckoutView checkout={loaded} changed={checkout.replace} />}
      </Loaded>
    </>
  )
}

interface CheckoutViewProps {
  checkout: CheckoutWithJourney
  changed: (checkout: CheckoutWithJourney) => void
}

function CheckoutView({ checkout, changed }: CheckoutViewProps): VNode {
  const change = usePermits()('change')
  const { relative } = useFormats()
  const { status, amount, currency, charge_id, journey, expires_at } = checkout
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState state={<CheckoutStatus status={status} />}>
            <Money cents={centsOf(amount)} currency={currency} />
          </TitleWithState>
        }
        actions={
          <>
            {charge_id !== null && (
              <ButtonLink href={`/charges/${charge_id}`} icon="charges">
                {texts.charge}
              </ButtonLink>
            )}
            {change && status === 'active' && <CancelCheckout checkout={checkout} changed={changed} />}
          </>
        }
      >
        {checkout.reference}
      </PageHeader>
      <Notices>
        {status === 'active' && <Notice tone="info">{texts.expires(relative(expires_at))}</Notice>}
      </Notices>
      <TwoColumns
        main={
          <Section title={texts.journey} description={texts.journeyWords}>
            <TimeLine label={texts.journey} entries={journey.map(journeyEntry).reverse()} />
          </Section>
        }
        aside={<CheckoutFacts checkout={checkout} />}
      />
    </>
  )
}

function CheckoutFacts({ checkout }: { checkout: CheckoutWithJourney }): VNode {
  const { facts } = texts
  const { recommended_sdk_version_url: release } = checkout
  return (
    <Section title={texts.details}>
      <Facts
        facts={[
          [facts.reference, checkout.reference],
          [facts.description, checkout.description],
          [
            facts.returnUrl,
            checkout.return_url !== null && (
              <Link href={checkout.return_url} isExternal>
                {checkout.return_url}
              </Link>
            ),
          ],
          [facts.version, checkout.version],
          [facts.created, <Moment at={checkout.created_at} />],
          [facts.expires, <Moment at={checkout.expires_at} />],
          [
            facts.release,
            release !== null && (
              <Link href={release} isExternal>
                {release}
              </Link>
            ),
          ],
          [facts.id, <IdText id={checkout._id} label={texts.idLabel} />],
        ]}
      />
    </Section>
  )
}

type Step = CheckoutWithJourney['journey'][number]

const LOOKS: Readonly<Record<Step['step'], { tone: BadgeTone; icon: IconName }>> = {
  created: { tone: 'calm', icon: 'plus' },
  viewed: { tone: 'calm', icon: 'person' },
  payment_tried: { tone: 'info', icon: 'charges' },
  payment_failed: { tone: 'bad', icon: 'warning' },
  paid: { tone: 'good', icon: 'check' },
  expired: { tone: 'calm', icon: 'clock' },
  cancelled: { tone: 'calm', icon: 'close' },
}

/** A step of a checkout as an entry of its time line. */
function journeyEntry({ step, at, charge_id, code }: Step, index: number): TimeLineEntry {
  return {
    key: String(index),
    at,
    ...LOOKS[step],
    title: stepTexts[step],
    content: (
      <>
        {code !== undefined && (
          <p>
            <code>{code}</code>
          </p>
        )}
        {charge_id !== undefined && <Link href={`/charges/${charge_id}`}>{checkoutTexts.one.charge}</Link>}
      </>
    ),
  }
}

const cancelTexts = checkoutTexts.cancel

interface CancelCheckoutProps {
  checkout: CheckoutWithJourney
  changed: (checkout: CheckoutWithJourney) => void
}

/** The button that cancels a checkout, behind a question. */
function CancelCheckout({ checkout, changed }: CancelCheckoutProps): VNode {
  const { toasts } = useApp()
  const { money } = useFormats()
  const { send } = useChange()
  const isAsking = useSignal(false)
  const cancel = async () => {
    const outcome = await send({
      method: 'DELETE',
      path: `/v1/checkouts/${checkout._id}`,
      answer: CheckoutWithJourney,
    })
    if (outcome.kind === 'done') {
      toasts.show(cancelTexts.done)
      changed(outcome.data)
    }
    return failureOf(outcome)
  }
  return (
    <>
      <Button onClick={() => (isAsking.value = true)}>{cancelTexts.button}</Button>
      {isAsking.value && (
        <ConfirmDialog
          title={cancelTexts.title}
          confirm={cancelTexts.button}
          act={cancel}
          close={() => (isAsking.value = false)}
        >
          <p>{cancelTexts.words(money(centsOf(checkout.amount), checkout.currency))}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
