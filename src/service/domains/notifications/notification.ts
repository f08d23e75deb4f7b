import type { Moves } from '../../platform/state-machine.ts'
import { withoutSensitive } from '../../platform/secrets/secret-in-text.ts'
import type { News, ToldDispute } from '../gateways/gateway.ts'

/**
 * How far a gateway's notification has got. `waiting`: to be worked off, for the first time or again. `not_understood`: nobody can tell
 * what it says. `unexplained`: it contradicts what the service knows of its charge. A person has to look at both,
 * and dismisses them. `done` with words that say why: it changed nothing as its charge was, and is looked at again once that changes.
 */
export type NotificationState = 'waiting' | 'done' | 'not_understood' | 'unexplained'

type NotificationAction =
  | 'put_off'
  | 'worked_off'
  | 'found_unclear'
  | 'found_strange'
  | 'replayed'
  | 'dismissed'

export const notificationMoves: Moves<NotificationState, NotificationAction> = {
  waiting: {
    put_off: 'waiting',
    worked_off: 'done',
    found_unclear: 'not_understood',
    found_strange: 'unexplained',
    replayed: 'waiting',
  },
  done: { replayed: 'waiting' },
  not_understood: { replayed: 'waiting', dismissed: 'done' },
  unexplained: { replayed: 'waiting', dismissed: 'done' },
}

/** News as it is kept: its times as text, and without what was sent, which is kept apart. */
export type KeptNews = Omit<News, 'at' | 'sent' | 'says'> & { at: string; says: KeptSays }
type KeptSays = Exclude<News['says'], ToldDispute> | KeptDispute
type KeptDispute = Omit<ToldDispute, 'respondBy'> & { respondBy: string | null }

export function toKept(news: News): KeptNews {
  const { key, name, at, attemptId, saleId, externalId, amount, currency, says } = news
  const kept = { key, name, at: at.toISOString(), attemptId, saleId, externalId, amount, currency }
  if (says.kind !== 'dispute') return { ...kept, says }
  return { ...kept, says: { ...says, respondBy: says.respondBy?.toISOString() ?? null } }
}

export function toNews({ at, says, ...news }: KeptNews): News {
  const read = { ...news, at: new Date(at), sent: null }
  if (says.kind !== 'dispute') return { ...read, says }
  return { ...read, says: { ...says, respondBy: says.respondBy === null ? null : new Date(says.respondBy) } }
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
