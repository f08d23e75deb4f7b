import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { languageOf } from '../../../contract/page/language-of.ts'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import { answerContent } from '../../platform/http/answers/content.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { answerFaultDocument } from './fault-document.ts'
import {
  createFrameDocuments,
  FORM_HEADERS,
  frameContentSecurityPolicy,
  releaseNotFound,
  templatesByRelease,
} from './documents.ts'
import type { Ancestors } from './documents.ts'
import type { Release } from './release.ts'

/** What the document of a checkout depends on; the rest is read with the intent's token. */
export interface CheckoutView {
  id: string
  ancestors: Ancestors
  /** Of the intent's template. */
  language: Language | undefined
}

interface CheckoutDocumentDeps {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  /** Where the API is. */
  baseUrl: string
  tokensUrl: string
  /** Today in UTC, such as `2026-11-22`. */
  today: () => string
  /** Null for an unknown intent. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
}

/** For an unknown intent: no page may show the document, and it accepts no token. */
const OF_NO_INTENT: CheckoutView = { id: '', ancestors: 'nobody', language: undefined }

/** For a malformed token, which names no intent: the document says so in words, and accepts no token. */
const WITHOUT_ID: CheckoutView = { ...OF_NO_INTENT, ancestors: [] }

const CheckoutPath = v.object({ release: v.string() })
const CheckoutQuery = v.object({
  intent_id: v.fallback(v.string(), ''),
  /** An unknown one counts as none. */
  language: v.pipe(v.fallback(v.string(), ''), v.transform(languageOf)),
})

/** The checkout document of every release that has one (contract §5). Its address holds no token. */
export function addCheckoutRoutes(
  app: FastifyInstance,
  releases: readonly Release[],
  deps: CheckoutDocumentDeps,
): void {
  const { widgetUrl, baseUrl, tokensUrl, today, viewOf } = deps
  const templates = templatesByRelease(releases, 'checkout')
  // Each intent has its own: the best compression would take longer than it saves.
  const documentFor = createFrameDocuments({ brotliQuality: 5 })
  const sessionUrl = `${baseUrl}/v1/checkouts/session`
  app.get(
    '/sdk/:release/checkout',
    { config: { resourceType: 'frame', isRoutine: true }, errorHandler: answerFaultDocument },
    async (request, reply) => {
      const { release } = decode(CheckoutPath, request.params)
      const template = templates.get(release)
      if (template === undefined) throw releaseNotFound(widgetUrl, release)
      const { intent_id: intentId, language: given } = decode(CheckoutQuery, request.query)
      const { id, ancestors, language } = v.is(Identifier, intentId)
        ? ((await viewOf(intentId)) ?? OF_NO_INTENT)
        : WITHOUT_ID
      const languages_url = `${widgetUrl}/sdk/v${template.version}/languages/checkout/`
      // The intent in these addresses says whose document asks; every release uses the addresses as they are.
      const asked = {
        session_url: `${sessionUrl}?intent_id=${id}`,
        payments_url: `${sessionUrl}/payments?intent_id=${id}`,
        tokens_url: `${tokensUrl}?intent_id=${id}`,
        authentications_url: `${baseUrl}/v1/authentications/`,
        languages_url,
      }
      const setup = { ...asked, today: today() }
      const { scripts, styles } = template
      const policy = frameContentSecurityPolicy({ scripts, styles, asked: Object.values(asked), ancestors })
      return answerContent(request, reply, documentFor(template, setup, given ?? language), {
        ...FORM_HEADERS,
        'content-security-policy': policy,
      })
    },
  )
}
