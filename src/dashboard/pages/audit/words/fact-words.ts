import type { EventView } from '../../../../contract/dashboard/audit.ts'
import type { Formats } from '../../../formats/formats.ts'
import { statusTexts as agreementStatuses } from '../../agreements/texts.ts'
import { statusTexts as chargeStatuses } from '../../charges/texts.ts'
import { statusTexts as paymentStatuses } from '../../payments/texts.ts'
import { factTexts } from './texts.ts'

const { names, values, outcomes } = factTexts

/** They have columns of their own, or say what the type of the entry says. */
const SHOWN_ELSEWHERE = new Set(['address', 'user_agent', 'act', 'subject', 'currency', 'outcome', 'attempt'])

/** The other facts of an entry of the audit log, such as "Role: Developer". Texts that people have written are shown unchanged. */
export function factWords({ type, facts }: Pick<EventView, 'type' | 'facts'>, formats: Formats): string[] {
  const { currency: named } = facts
  const currency = typeof named === 'string' ? named : AGREEMENT_CURRENCY
  return Object.entries(facts)
    .filter(([name, value]) => value !== null && value !== undefined && !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => {
      if (name === 'status' && type === 'user.acted') return outcomeWords(value)
      if (name === 'amount' && typeof value === 'number') return line(name, formats.money(value, currency))
      if (name === 'status') return line(name, statusWords(type, value) ?? valueWords(name, value, formats))
      return line(name, valueWords(name, value, formats))
    })
}

/** By the first word of an entry's type: the words that the pages of such things have for their states. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  charge: chargeStatuses,
  charges: chargeStatuses,
  agreement: agreementStatuses,
  payment: paymentStatuses,
}

function statusWords(type: string, status: unknown): string | undefined {
  return typeof status === 'string' ? STATUSES[type.split('.')[0] ?? '']?.[status] : undefined
}

/** Agreements are paid in this currency alone, and their facts do not repeat it. */
const AGREEMENT_CURRENCY = 'AUD'

function line(name: string, words: string): string {
  return `${names[name] ?? sentenceOf(name)}: ${words}`
}

/** What the service answered to a request, by its HTTP status. */
function outcomeWords(status: unknown): string {
  if (typeof status !== 'number') return outcomes.unknown
  if (status < 400) return outcomes.done
  if (status < 500) return outcomes.refused(status)
  return outcomes.failed(status)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function valueWords(name: string, value: unknown, formats: Formats): string {
  if (Array.isArray(value))
    return value.length === 0 ? values.none : value.map((one) => valueWords(name, one, formats)).join(', ')
  if (typeof value === 'boolean') return value ? values.yes : values.no
  if (typeof value === 'number') return formats.number(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (TIME.test(value) && !isNaN(Date.parse(value))) return formats.dateTime(value)
  return OF_A_SET.has(name) ? (values.known[value] ?? value.replace(/_/g, ' ')) : value
}

/** Facts whose values are words of the service, not texts that people have written. */
const OF_A_SET = new Set(['by', 'changed', 'decline_reason', 'kind', 'reason', 'role', 'status', 'type'])

function sentenceOf(name: string): string {
  const words = name.replace(/_/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
