/** An event's parts, as names or placeholders of the statement that it is written in. */
interface EventNames {
  id: string
  /** Empty for what is of no merchant. */
  merchant: string
  type: string
  /** What it is about: the id of a charge, a merchant, a webhook; `service` for all of it. */
  subject: string
  /** An `Actor` of `contract/dashboard/audit.ts`. */
  actor: string
  /** JSON without secrets; numbers in it are integers. */
  facts: string
  /** Each row of it is an event. */
  from: string
}

/** An event as SQL that a change runs within its own statement, so that there is no change without its event. */
export type WriteEvent = (names: EventNames) => string
