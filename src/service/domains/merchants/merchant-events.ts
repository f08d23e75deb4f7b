import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { WriteEvent } from '../../platform/write-event.ts'

/** Who acts, for the audit log, and how that is written. */
export interface Acts {
  writeEvent: WriteEvent
  createId: CreateId
  actor: string
}

/** Writes an event about a merchant within a transaction. `facts` hold no secrets; numbers in it are integers. */
export type TellOfMerchant = (
  queries: Queries,
  merchantId: string,
  type: string,
  facts: object,
) => Promise<unknown>

export function createTellOfMerchant({ writeEvent, createId, actor }: Acts): TellOfMerchant {
  const tell = statement(
    'tell_of_merchant',
    writeEvent({
      id: '$2',
      merchant: '$1',
      type: '$3',
      subject: '$1',
      actor: '$4',
      facts: '$5',
      from: 'merchants WHERE id = $1',
    }),
  )
  return (queries, merchantId, type, facts) =>
    queries.run(tell, [merchantId, createId(), type, actor, JSON.stringify(facts)])
}
