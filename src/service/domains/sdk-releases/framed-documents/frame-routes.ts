import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { LANGUAGES } from '../../../../contract/page/widget-appearance.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { answerContent } from '../../../platform/http/answers/content.ts'
import type { Release } from '../release.ts'
import { frameContentSecurityPolicy } from './content-security-policy.ts'
import { answerFaultDocument } from './fault-document.ts'
import { createFrameDocuments, FORM_HEADERS, releaseNotFound } from './frame-documents.ts'
import { templatesByRelease } from './frame-template.ts'
import type { WidgetSetup } from './frame-setup.ts'

interface Parts {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  setupFor: (publicKey: string, gatewayId: string, languagesUrl: string) => Promise<WidgetSetup>
}

const FramePath = v.object({ release: v.string() })
const FrameQuery = v.object({
  public_key: v.optional(v.string(), ''),
  gateway_id: v.optional(v.string(), 'default'),
  /** One that is not known is as good as none. */
  language: v.fallback(v.optional(v.picklist(LANGUAGES)), undefined),
})

/** The frame document of every release (contract §1): what each was released with, set up for today's service. */
export function addFrameRoutes(app: FastifyInstance, releases: readonly Release[], parts: Parts): void {
  const { widgetUrl, setupFor } = parts
  const templates = templatesByRelease(releases, 'frame')
  const documentFor = createFrameDocuments({ brotliQuality: 11 })
  app.get(
    '/sdk/:release/frame',
    { config: { resourceType: 'frame', isRoutine: true }, errorHandler: answerFaultDocument },
    async (request, reply) => {
      const { release } = decode(FramePath, request.params)
      const template = templates.get(release)
      if (template === undefined) throw releaseNotFound(widgetUrl, release)
      const { public_key: publicKey, gateway_id: gatewayId, language } = decode(FrameQuery, request.query)
      const languagesUrl = `${widgetUrl}/sdk/v${template.version}/languages/`
      const { setup, asked, ancestors } = await setupFor(publicKey, gatewayId, languagesUrl)
      const { scripts, styles } = template
      const policy = frameContentSecurityPolicy({
        scripts,
        styles,
        asked: [...asked, languagesUrl],
        ancestors,
      })
      return answerContent(request, reply, documentFor(template, setup, language), {
        ...FORM_HEADERS,
        'content-security-policy': policy,
      })
    },
  )
}
