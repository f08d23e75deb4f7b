import type { WordsChange } from '../../../../contract/api/charges/charge-request.ts'
import { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import type { Failure } from '../../../api/failure.ts'
import { useApp, useFormats } from '../../../app-context.ts'
import { centsOf, decimalOf } from '../../../formats/cents.ts'
import { useChange } from '../../../loading/use-change.ts'
import { chargeActTexts } from './texts.ts'

/**
 * What a person does with a charge. Each resolves with null on success, else with the failure; also with null while the gateway has
 * not said what came of it, as the page shows that, and its end when it is known.
 */
export interface ChargeActs {
  capture: (cents: number) => Promise<Failure | null>
  cancel: () => Promise<Failure | null>
  refund: (cents: number, reference: string) => Promise<Failure | null>
  edit: (words: WordsChange) => Promise<Failure | null>
}

/** What the dialog of an act is about. */
export interface ActDialogProps {
  charge: ChargeResource
  acts: ChargeActs
  close: () => void
}

interface Act {
  method: 'POST' | 'DELETE' | 'PATCH'
  path: string
  body?: object
  /** The toast when it is done. */
  done: string
}

/**
 * The acts of a charge's page. They belong to the page and not to its dialogs: when a dialog is closed while the outcome of its
 * request is unknown, the same request from a new dialog is sent under the same idempotency key. `changed` is called after each request.
 */
export function useChargeActs(charge: ChargeResource, changed: () => void): ChargeActs {
  const { toasts } = useApp()
  const formats = useFormats()
  const { send } = useChange()
  const path = `/v1/charges/${charge._id}`
  const money = (cents: number) => formats.money(cents, charge.currency)
  const act = async ({ done, ...request }: Act) => {
    const outcome = await send({ ...request, answer: ChargeResource })
    changed()
    if (outcome.kind === 'failed') return outcome.failure.code === 'outcome_unknown' ? null : outcome.failure
    toasts.show(done)
    return null
  }
  return {
    capture: (cents) =>
      act({
        method: 'POST',
        path: `${path}/capture`,
        body: { amount: decimalOf(cents) },
        done: chargeActTexts.capture.done(money(cents)),
      }),
    cancel: () =>
      act({
        method: 'DELETE',
        path: `${path}/capture`,
        done: chargeActTexts.cancel.done(money(centsOf(charge.amount))),
      }),
    refund: (cents, reference) =>
      act({
        method: 'POST',
        path: `${path}/refunds`,
        body: { amount: decimalOf(cents), ...(reference === '' ? {} : { reference }) },
        done: chargeActTexts.refund.done(money(cents)),
      }),
    edit: (words) => act({ method: 'PATCH', path, body: words, done: chargeActTexts.edit.done }),
  }
}
