import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { LANGUAGES } from '../../contract/widget-appearance.ts'
import type { Language } from '../../contract/widget-appearance.ts'
import { decode } from '../http/decode.ts'
import { frameContentSecurityPolicy } from './content-security-policy.ts'
import { createFrameDocuments } from './frame-documents.ts'
import type { Release } from './release.ts'
import { answerContent } from './served-content.ts'
import { templatesOf } from './templates-of.ts'

/** What the document of an intent is made by; all else comes to it with the intent's token. */
interface CheckoutView {
  /** Origins whose pages may show it; none means every page may. */
  ancestors: readonly string[]
  /** Of the intent's template. */
  language: Language | undefined
}

interface Parts {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  /** Where the API is. */
  baseUrl: string
  tokensUrl: string
  /** Null for an intent that is not known: its document is like any other, so that nobody can tell. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
}

const CheckoutPath = v.object({ release: v.string() })
const CheckoutQuery = v.object({
  intent_id: v.fallback(v.string(), ''),
  /** One that is not known is as good as none. */
  language: v.fallback(v.optional(v.picklist(LANGUAGES)), undefined),
})

/** The checkout document of every release that has one (contract §5). Its address holds no token. */
export function addCheckoutRoutes(app: FastifyInstance, releases: readonly Release[], parts: Parts): void {
  const { widgetUrl, baseUrl, tokensUrl, viewOf } = parts
  const templates = templatesOf(releases, 'checkout')
  const documentFor = createFrameDocuments()
  const session_url = `${baseUrl}/v1/checkouts/session`
  const payments_url = `${session_url}/payments`
  app.get(
    '/sdk/:release/checkout',
    { config: { resourceType: 'frame', isRoutine: true } },
    async (request, reply) => {
      const template = templates.get(decode(CheckoutPath, request.params).release)
      if (template === undefined) {
        reply.callNotFound()
        return reply
      }
      const { intent_id: intentId, language: asked } = decode(CheckoutQuery, request.query)
      const { ancestors = [], language } = (await viewOf(intentId)) ?? {}
      const languages_url = `${widgetUrl}/sdk/v${template.version}/languages/checkout/`
      const setup = { session_url, payments_url, tokens_url: tokensUrl, languages_url }
      const { scripts, styles } = template
      const policy = frameContentSecurityPolicy({ scripts, styles, asked: Object.values(setup), ancestors })
      return answerContent(request, reply, await documentFor(template, setup, asked ?? language), {
        'content-security-policy': policy,
      })
    },
  )
}
