import * as v from 'valibot'
import { ERROR_STATUS } from '../../contract/api/envelope.ts'
import { BANK_RETURNED } from '../../contract/page/authentication-setup.ts'

const Fault = v.object({ code: v.picklist(Object.keys(ERROR_STATUS)), message: v.string() })

/** The page to which a bank sends a browser back: all that it says is that it was reached. */
const RETURN_PAGE = `<!doctype html><meta name="color-scheme" content="light dark"><title>.</title><script>parent.postMessage('${BANK_RETURNED}',location.origin)</script>`

/**
 * Whether an answer is the document that replaces a card form which can't be shown, and names this status, or the page to which a bank
 * leads back, whatever came of that.
 */
export function isFaultDocument({ status, text }: { status: number; text: string }): boolean {
  if (text === RETURN_PAGE) return true
  const [, json = ''] = /<script type="application\/json" id="svc-fault">(.*?)<\/script>/s.exec(text) ?? []
  if (json === '') return false
  const { code } = v.parse(Fault, JSON.parse(json))
  return Object.entries(ERROR_STATUS).some(([name, known]) => name === code && known === status)
}
