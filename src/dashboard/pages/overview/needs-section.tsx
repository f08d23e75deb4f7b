import type { VNode } from 'preact'
import { DismissedNotification } from '../../../contract/dashboard/overview.ts'
import type { NeedsAttention } from '../../../contract/dashboard/overview.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Link } from '../../components/actions/link.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { useChange } from '../../loading/use-change.ts'
import { usePermits } from '../../session/use-view.ts'
import { Section } from '../../shell/section.tsx'
import { pathWith } from '../../router/query.ts'
import { stageTexts } from '../disputes/texts.ts'
import { needTexts, overviewTexts } from './texts.ts'

const { needs: texts } = overviewTexts

const ICONS: Readonly<Record<NeedsAttention['kind'], IconName>> = {
  outcome_unknown: 'clock',
  follow_up_unknown: 'clock',
  webhook_failing: 'webhooks',
  dispute_needs_response: 'disputes',
  hold_not_released: 'charges',
  hold_ends: 'charges',
  agreement_suspended: 'agreements',
  failed_later: 'warning',
  gateway_news: 'warning',
  news_not_understood: 'warning',
  gateway_silent: 'gateways',
}

/** Shown by the id of their charge: the type of an attempt names none of them. */
const OUTCOMES: ReadonlySet<NeedsAttention['kind']> = new Set([
  'outcome_unknown',
  'follow_up_unknown',
  'failed_later',
])

interface NeedsSectionProps {
  needs: readonly NeedsAttention[]
  /** Called after something was taken off the list. */
  changed: () => Promise<void>
}

/** What needs attention, the most urgent of each kind first, with a link to where it is done. */
export function NeedsSection({ needs, changed }: NeedsSectionProps): VNode {
  return (
    <Section title={texts.title}>
      {needs.length === 0 ? (
        <p class="soft needs-none">
          <Icon name="check" /> {texts.none}
        </p>
      ) : (
        <ul class="needs">
          {needs.map((need) => (
            <Need key={need.kind} need={need} changed={changed} />
          ))}
        </ul>
      )}
    </Section>
  )
}

interface NeedProps extends Pick<NeedsSectionProps, 'changed'> {
  need: NeedsAttention
}

function Need({ need, changed }: NeedProps): VNode {
  const { kind, count, is_more: isMore, items, target } = need
  const { number } = useFormats()
  const { title, words } = needTexts[kind]
  return (
    <li class="need">
      <Icon name={ICONS[kind]} />
      <div>
        <h3>{title(isMore ? `${number(count)}+` : number(count), count === 1)}</h3>
        <p class="soft">{words}</p>
        <ul class="need-items">
          {items.map((item) => (
            <NeedItem
              key={item.notification_id ?? item.id}
              item={item}
              page={target.page}
              kind={kind}
              changed={changed}
            />
          ))}
        </ul>
      </div>
      {target.query !== null && (
        <ButtonLink href={pathWith(`/${target.page}`, target.query)}>{texts.all}</ButtonLink>
      )}
    </li>
  )
}

interface NeedItemProps extends Pick<NeedsSectionProps, 'changed'> {
  item: NeedsAttention['items'][number]
  page: NeedsAttention['target']['page']
  kind: NeedsAttention['kind']
}

function NeedItem({ item, page, kind, changed }: NeedItemProps): VNode {
  const { id, at, words, cents, currency, notification_id: notificationId } = item
  const attempts: Readonly<Record<string, string>> = texts.attempts
  const isDispute = kind === 'dispute_needs_response'
  const money = cents !== null && currency !== null && <Money cents={cents} currency={currency} />
  return (
    <li>
      <Link href={page === 'gateways' && kind !== 'gateway_silent' ? '/gateways' : `/${page}/${id}`}>
        {nameOf(kind, id, words)}
        {isDispute && money && (
          <>
            {` ${texts.of} `}
            {money}
          </>
        )}
      </Link>
      {OUTCOMES.has(kind) && <span>{attempts[words]}</span>}
      {!isDispute && money}
      <span class="soft need-when">
        {isDispute && `${texts.due} `}
        <Moment at={at} as={isDispute ? 'relativeDay' : 'relative'} />
      </span>
      {notificationId !== undefined && <DismissButton notificationId={notificationId} changed={changed} />}
    </li>
  )
}

interface DismissButtonProps extends Pick<NeedsSectionProps, 'changed'> {
  notificationId: string
}

/** Takes a gateway's notification off the list, for who may change something. */
function DismissButton({ notificationId, changed }: DismissButtonProps): VNode | null {
  const may = usePermits()
  const { toasts } = useApp()
  const { isSending, send } = useChange()
  if (!may('change')) return null
  const dismiss = async () => {
    const path = `/api/notifications/${notificationId}/dismiss`
    const outcome = await send({ method: 'POST', path, answer: DismissedNotification })
    toasts.show(outcome.kind === 'failed' ? outcome.failure.words : texts.dismissed)
    await changed()
  }
  return (
    <Button isBusy={isSending.value} onClick={() => void dismiss()}>
      {texts.dismiss}
    </Button>
  )
}

function nameOf(kind: NeedsAttention['kind'], id: string, words: string): string {
  if (OUTCOMES.has(kind) || words === '') return id
  const stages: Readonly<Record<string, string>> = stageTexts
  return kind === 'dispute_needs_response' ? (stages[words] ?? words) : words
}
