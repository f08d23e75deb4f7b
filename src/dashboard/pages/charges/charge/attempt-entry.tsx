import type { ComponentChildren, VNode } from 'preact'
import type { NamedPerson } from '../../../../contract/dashboard/people/team.ts'
import { Badge } from '../../../components/data/badge.tsx'
import type { BadgeTone } from '../../../components/data/badge.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import type { TimeLineEntry } from '../../../components/data/time-line.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Money } from '../../../formats/money.tsx'
import { personIdOf, personName } from '../../../people/person-name.ts'
import { attemptTexts, entryTexts, outcomeTexts } from './texts.ts'
import type { Attempt } from './texts.ts'

const TONES: Readonly<Record<Attempt['outcome'], BadgeTone>> = {
  open: 'wait',
  approved: 'good',
  declined: 'bad',
  unreachable: 'bad',
  not_received: 'bad',
}

const ICONS: Readonly<Record<Attempt['type'], IconName>> = {
  sale: 'charges',
  capture: 'check',
  cancel: 'close',
  refund: 'undo',
}

/** What the words for an attempt depend on: the charge, and the person who looks at it. */
export interface EntryContext {
  /** Whether the sale only held the funds. */
  isHold: boolean
  userId: string
  /** Who has acted for the merchant. */
  people: readonly NamedPerson[]
}

/** An attempt as an entry of the time line. */
export function attemptEntry(attempt: Attempt, context: EntryContext): TimeLineEntry {
  const { id, type, outcome, created_at } = attempt
  return {
    key: id,
    at: created_at,
    tone: outcome === 'approved' && type !== 'sale' && type !== 'capture' ? 'calm' : TONES[outcome],
    icon: outcome === 'open' ? 'clock' : outcome === 'approved' ? ICONS[type] : 'warning',
    title: <Title attempt={attempt} isHold={context.isHold} />,
    content: <Content attempt={attempt} context={context} />,
  }
}

function Title({ attempt, isHold }: { attempt: Attempt; isHold: boolean }): VNode {
  const { type, outcome, amount, currency } = attempt
  const { name, done } = attemptTexts[type === 'sale' && isHold ? 'hold' : type]
  const money = <Money cents={centsOf(amount)} currency={currency} />
  return outcome === 'approved' ? (
    <>
      {done} {money}
    </>
  ) : (
    <>
      {name} of {money} {outcomeTexts[outcome]}
    </>
  )
}

function Content({ attempt, context }: { attempt: Attempt; context: EntryContext }): VNode {
  const { error_message, actor, reference, gateway_code, gateway_description } = attempt
  return (
    <div class="attempt">
      {error_message !== null && <p>{error_message}</p>}
      <p class="soft">
        {actorWords(actor, context)}
        {reference !== null && ` · ${entryTexts.reference}: ${reference}`}
      </p>
      <Deliveries attempt={attempt} />
      <details>
        <summary>{entryTexts.more}</summary>
        <Facts
          facts={[
            [entryTexts.gateway, [gateway_code, gateway_description].filter(Boolean).join(' · ')],
            [entryTexts.externalReference, attempt.external_reference],
            [entryTexts.externalId, code(attempt.external_id)],
            [entryTexts.code, code(attempt.error_code)],
            [entryTexts.attempt, code(attempt.id)],
            [entryTexts.address, attempt.source_ip],
          ]}
        />
      </details>
    </div>
  )
}

function code(text: string | null): ComponentChildren {
  return text === null ? null : <code>{text}</code>
}

/** Who asked for an attempt: `merchant`, `service` or `user:ID`. */
function actorWords(actor: string, { userId, people }: EntryContext): string {
  const { you, person, merchant, service } = entryTexts.actors
  const personId = personIdOf(actor)
  if (personId !== null) return personId === userId ? you : person(personName(personId, people))
  return actor === 'service' ? service : merchant
}

const DELIVERY_TONES = { waiting: 'wait', delivered: 'good', failed: 'bad' } as const

function Deliveries({ attempt: { webhooks } }: { attempt: Attempt }): VNode | null {
  if (webhooks.length === 0) return null
  return (
    <ul class="attempt-webhooks" aria-label={entryTexts.webhooks}>
      {webhooks.map(({ webhook_id, url, status, attempts, last_fault }) => (
        <li key={webhook_id}>
          <Badge tone={DELIVERY_TONES[status]}>{entryTexts.webhook[status]}</Badge> <span>{url}</span>{' '}
          <span class="soft">
            {entryTexts.tries(attempts)}
            {status !== 'delivered' && last_fault !== null && ` · ${last_fault}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
