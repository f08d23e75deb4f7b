/**
 * The order in which the network hears of an agreement, as SQL. A payment goes after the releases that were recorded before it, which
 * its bank has to know of to pay. What changes an agreement goes after the payments that were accepted before. Payments do not wait for
 * one another. `revision` is the agreement's at that moment, so it tells for certain which came first.
 */

/** The order is kept for a day: then the rest is sent, whatever the network leaves unanswered. */
const IS_RECENT = (createdAt: string) => `${createdAt} > :now::timestamptz - interval '1 day'`

/**
 * A payment without an outcome may not have arrived yet. After its process was killed, another process takes the call up a minute later,
 * or two if that one is killed as well: so it is waited for that long.
 */
const MAY_ARRIVE = `(
  p.status = 'received' OR p.status = 'processing' AND p.sent_at > :now::timestamptz - interval '5 minutes')`

/** Whether a payment `p` has to wait for a release that the network has not answered. */
export const AWAITS_RELEASE = `(${IS_RECENT('p.created_at')} AND EXISTS (
  SELECT FROM network_instructions i
  WHERE i.agreement_id = p.agreement_id AND i.revision <= p.agreement_revision AND i.content->>'kind' = 'release'))`

/** Whether an instruction `i` has to wait for a payment that was accepted before it. */
export const AWAITS_PAYMENT = `(i.content->>'kind' IN ('amend', 'suspend', 'cancel', 'expire') AND EXISTS (
  SELECT FROM agreement_payments p
  WHERE p.agreement_id = i.agreement_id AND p.agreement_revision < i.revision AND ${IS_RECENT('p.created_at')} AND ${MAY_ARRIVE}))`

/** Payments `p` that were put off because of `settled`, a release that was just answered. */
export const PUT_OFF_BY_RELEASE = `p.agreement_id = settled.agreement_id AND settled.kind = 'release'
  AND p.status = 'received' AND p.next_at > :now AND ${IS_RECENT('p.created_at')}`

/** Instructions `i` that were put off, and never sent, because of `settled`, a payment whose outcome is just recorded. */
export const PUT_OFF_BY_PAYMENT = `i.agreement_id = settled.agreement_id AND i.attempts = 0 AND i.next_at > :now`

/**
 * When to look again at something that has to wait: soon, and less often the longer it has waited, but each minute. It is made due, too,
 * once that which it waits for is settled, unless a process is looking at it just then.
 */
export const lookAgainAt = (createdAt: string): string =>
  `:now::timestamptz + greatest(interval '200 milliseconds', least(interval '1 minute', (:now::timestamptz - ${createdAt}) / 2))`

/** No earlier instruction of the same agreement waits. Ids of the same second are in no order. */
export const IS_FIRST = `NOT EXISTS (
  SELECT FROM network_instructions earlier
  WHERE earlier.agreement_id = i.agreement_id AND (earlier.revision, earlier.created_at, earlier.id) < (i.revision, i.created_at, i.id))`
