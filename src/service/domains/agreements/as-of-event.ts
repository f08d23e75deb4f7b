import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { toAgreementResource } from './agreement-resource.ts'
import type { AgreementStore } from './agreement-store.ts'

/** The agreement of an event on the wire, as it was right after it; the event bears the id of the history's entry. */
export type AgreementAsOfEvent = (event: { id: string; subject: string }) => Promise<AgreementResource>

export function asOfEventBy({
  find,
  findChange,
}: Pick<AgreementStore, 'find' | 'findChange'>): AgreementAsOfEvent {
  return async ({ id, subject }) => {
    const [agreement, then] = await Promise.all([find(subject), findChange(id)])
    if (agreement === null || then?.agreementId !== subject) throw new Error(`event ${id} is of no agreement`)
    return toAgreementResource({ ...agreement, ...then.facts, revision: then.revision, updatedAt: then.at })
  }
}
