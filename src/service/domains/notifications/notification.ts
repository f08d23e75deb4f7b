import type { Moves } from '../../platform/state-machine.ts'
import { withoutSensitive } from '../../platform/secrets/secret-in-text.ts'
import type { News } from '../gateways/gateway.ts'

/**
 * How far a gateway's notification has got. `waiting`: to be worked off, for the first time or again. `not_understood`: nobody can tell
 * what it says. `unexplained`: it contradicts what the service knows of its charge. A person has to look at both.
 */
export type NotificationState = 'waiting' | 'done' | 'not_understood' | 'unexplained'

type NotificationAction = 'put_off' | 'worked_off' | 'found_unclear' | 'found_strange' | 'replayed'

export const notificationMoves: Moves<NotificationState, NotificationAction> = {
  waiting: {
    put_off: 'waiting',
    worked_off: 'done',
    found_unclear: 'not_understood',
    found_strange: 'unexplained',
    replayed: 'waiting',
  },
  done: { replayed: 'waiting' },
  not_understood: { replayed: 'waiting' },
  unexplained: { replayed: 'waiting' },
}

/** News as it is kept: its time as text, and without what was sent, which is kept apart. */
export type KeptNews = Omit<News, 'at' | 'sent'> & { at: string }

export function toKept(news: News): KeptNews {
  const { key, name, at, attemptId, saleId, externalId, amount, currency, says } = news
  return { key, name, at: at.toISOString(), attemptId, saleId, externalId, amount, currency, says }
}

export function toNews({ at, ...news }: KeptNews): News {
  return { ...news, at: new Date(at), sent: null }
}

/** What was sent as it may be kept: texts and names that hold a card number or a secret of ours are hidden. */
export function withoutSecrets(sent: unknown): unknown {
  if (typeof sent === 'string') return withoutSensitive(sent)
  if (typeof sent === 'number')
    return withoutSensitive(String(sent)) === String(sent) ? sent : '[card number]'
  if (Array.isArray(sent)) return sent.map(withoutSecrets)
  if (typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([name, inner]) => [withoutSensitive(name), withoutSecrets(inner)]),
  )
}
