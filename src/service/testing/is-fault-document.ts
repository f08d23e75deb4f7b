import * as v from 'valibot'
import { ERROR_STATUS } from '../../contract/api/envelope.ts'

const Fault = v.object({ code: v.picklist(Object.keys(ERROR_STATUS)), message: v.string() })

/** Whether an answer is the document that replaces a card form which can't be shown, and names this status. */
export function isFaultDocument({ status, text }: { status: number; text: string }): boolean {
  const [, json = ''] = /<script type="application\/json" id="svc-fault">(.*?)<\/script>/s.exec(text) ?? []
  if (json === '') return false
  const { code } = v.parse(Fault, JSON.parse(json))
  return Object.entries(ERROR_STATUS).some(([name, known]) => name === code && known === status)
}
