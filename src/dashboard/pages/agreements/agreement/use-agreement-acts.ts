import { AgreementPaymentResource } from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import type { AnySchema, Change } from '../../../api/api.ts'
import { failureOf } from '../../../api/api.ts'
import type { Failure } from '../../../api/failure.ts'
import { useApp } from '../../../app-context.ts'
import { useChange } from '../../../loading/use-change.ts'

/** What a person does with an agreement. Each resolves with null on success, else with the failure; `done` is the toast after a success. */
export interface AgreementActs {
  amend: (body: object, done: string) => Promise<Failure | null>
  changeStatus: (body: object, done: string) => Promise<Failure | null>
  pay: (body: object, done: string) => Promise<Failure | null>
}

/** What the forms of an amendment need. */
export interface AmendProps {
  agreement: AgreementResource
  acts: AgreementActs
  close: () => void
}

interface Parts {
  agreement: AgreementResource
  etag: string | null
  /** Called after each request. */
  changed: () => void
}

/**
 * The acts of an agreement's page. They belong to the page and not to its dialogs: when a dialog is closed while the outcome of its
 * request is unknown, the same request from a new dialog is sent under the same idempotency key.
 */
export function useAgreementActs({ agreement, etag, changed }: Parts): AgreementActs {
  const { toasts } = useApp()
  const { send } = useChange()
  const path = `/agreements/${agreement._id}`
  const act = async (change: Change<AnySchema>, done: string) => {
    const outcome = await send(change)
    changed()
    if (outcome.kind === 'done') toasts.show(done)
    return failureOf(outcome)
  }
  const patch = (at: string) => (body: object, done: string) => {
    const ifMatch = etag === null ? {} : { ifMatch: etag }
    return act({ method: 'PATCH', path: at, body, answer: AgreementResource, ...ifMatch }, done)
  }
  return {
    amend: patch(path),
    changeStatus: patch(`${path}/status`),
    pay: (body, done) =>
      act({ method: 'POST', path: `${path}/payments`, body, answer: AgreementPaymentResource }, done),
  }
}
