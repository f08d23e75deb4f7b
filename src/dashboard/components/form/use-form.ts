import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { Failure } from '../../api/failure.ts'
import { useLateFailure } from '../feedback/use-late-failure.ts'
import { formTexts } from './texts.ts'

/** The texts of a form by the names of its fields. A ticked checkbox has `TICKED`, another ''. */
export type FormValues<Name extends string> = Readonly<Record<Name, string>>
/** What is wrong with which field, in words; undefined for nothing. */
export type FormFaults = Readonly<Record<string, string | undefined>>

export const TICKED = 'yes'

/** A form's state, for its fields. */
export interface FormState<Name extends string> {
  values: ReadonlySignal<FormValues<Name>>
  /** What is wrong with fields, in words, since the form was last sent. */
  faults: ReadonlySignal<FormFaults>
  /** Why the form could not be sent, apart from faults of fields; '' for nothing. */
  alert: ReadonlySignal<string>
  isSending: ReadonlySignal<boolean>
  /** Counts the times that sending was refused. */
  refusals: ReadonlySignal<number>
  set: (name: Name, text: string) => void
  submit: () => Promise<void>
  /** Back to the first texts. */
  reset: () => void
}

interface FormParts<Name extends string> {
  initial: FormValues<Name>
  /** What is wrong with which field, before anything is sent. */
  check?: (values: FormValues<NoInfer<Name>>) => FormFaults
  /** Sends the form; null when all went well. */
  send: (values: FormValues<NoInfer<Name>>) => Promise<Failure | null>
}

/** The state of a form as long as its component is shown. */
export function useForm<Name extends string>(parts: FormParts<Name>): FormState<Name> {
  const latest = useRef(parts)
  latest.current = parts
  const tellIfGone = useLateFailure()
  return useMemo(() => createForm(() => latest.current, tellIfGone), [])
}

function createForm<Name extends string>(
  parts: () => FormParts<Name>,
  tellIfGone: (failure: Failure) => void,
): FormState<Name> {
  const values = signal(parts().initial)
  const faults = signal<FormFaults>({})
  const alert = signal('')
  const isSending = signal(false)
  const refusals = signal(0)
  const refuse = (found: FormFaults, words: string) =>
    batch(() => {
      faults.value = found
      alert.value = words
      refusals.value += 1
    })

  async function send(): Promise<void> {
    isSending.value = true
    const failure = await parts().send(values.value)
    isSending.value = false
    if (failure === null) return
    tellIfGone(failure)
    const { found, others } = faultsIn(failure, values.value)
    const isAboutFields = failure.details.length > 0 && others.length === 0
    refuse(found, isAboutFields ? formTexts.refused : [failure.words, ...others].join(' '))
  }
  return {
    values,
    faults,
    alert,
    isSending,
    refusals,
    set: (name, text) =>
      batch(() => {
        values.value = { ...values.value, [name]: text }
        faults.value = { ...faults.value, [name]: undefined }
      }),
    async submit() {
      if (isSending.value) return
      const found = parts().check?.(values.value) ?? {}
      if (Object.values(found).some(Boolean)) refuse(found, '')
      else {
        batch(() => {
          faults.value = {}
          alert.value = ''
        })
        await send()
      }
    },
    reset: () =>
      batch(() => {
        values.value = parts().initial
        faults.value = {}
        alert.value = ''
      }),
  }
}

/** A failure's details: faults of fields that the form has, and those of others in words. */
function faultsIn({ details }: Failure, values: FormValues<string>): { found: FormFaults; others: string[] } {
  const own = details.filter(({ path }) => path in values)
  const others = details.filter(({ path }) => !(path in values))
  return {
    found: Object.fromEntries(own.map(({ path, message }) => [path, message])),
    others: others.map(({ path, message }) => `${path}: ${message}`),
  }
}
