import type { Language } from '../../../../contract/page/widget-appearance.ts'
import type { IntentStore } from '../intents/intent-store.ts'

/** What the document of an intent is made from. */
interface CheckoutView {
  id: string
  /** Origins whose pages may show it (`frame-ancestors`); empty: any page. */
  ancestors: readonly string[] | 'nobody'
  language: Language | undefined
}

/** Null for an intent that is not known. */
export type ViewOf = (intentId: string) => Promise<CheckoutView | null>

interface Parts {
  store: Pick<IntentStore, 'find'>
  /** `allowedOrigins`: of the pages that may show the merchant's checkouts; empty: any page. */
  merchantOf: (id: string) => Promise<{ allowedOrigins: readonly string[] } | null>
}

export function createViewOf({ store, merchantOf }: Parts): ViewOf {
  return async (intentId) => {
    const intent = await store.find(intentId)
    if (intent === null) return null
    const ancestors = (await merchantOf(intent.merchantId))?.allowedOrigins ?? 'nobody'
    return { id: intent.id, ancestors, language: intent.customisation.content.language }
  }
}
