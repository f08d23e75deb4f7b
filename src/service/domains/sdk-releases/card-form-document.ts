import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { PREVIEW_KEY } from '../../../contract/dashboard/templates/template-preview.ts'
import type { KeySetup } from '../../../contract/page/frame-setup.ts'
import { languageOf } from '../../../contract/page/language-of.ts'
import { NO_GATEWAY } from '../../platform/errors.ts'
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
import type { Release } from './release.ts'

/** What the card form needs to know of merchants. */
export interface FrameMerchants {
  keys: {
    holderOf: (
      key: string,
      kind: 'public',
    ) => Promise<{ id: string; allowedOrigins: readonly string[] } | null>
  }
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<{ type: string } | null>
}

/** What the documents of the card form are made with. */
export interface FrameDeps {
  merchants: FrameMerchants
  tokensUrl: string
  /** Origin that SDK and documents are served from. */
  widgetUrl: string
  /** Origins of the preview's document and of the dashboard, which frames that. */
  previewAncestors: readonly string[]
  /** Today in UTC, such as `2026-11-22`. */
  today: () => string
}

const FramePath = v.object({ release: v.string() })
const FrameQuery = v.object({
  public_key: v.optional(v.string(), ''),
  gateway_id: v.optional(v.string(), 'default'),
  /** An unknown one counts as none. */
  language: v.pipe(v.fallback(v.string(), ''), v.transform(languageOf)),
})

/** The card form of every release (contract §1): its own document, set up for today's service. */
export function addFrameRoutes(app: FastifyInstance, releases: readonly Release[], deps: FrameDeps): void {
  const { widgetUrl } = deps
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
      const { setup, asked, ancestors } = await frameSetup(deps, { publicKey, gatewayId }, languagesUrl)
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

/** The set-up of a card form, the addresses that it may connect to beside its languages, and the pages that may show it. */
interface WidgetSetup {
  setup: KeySetup
  asked: readonly string[]
  ancestors: readonly string[]
}

/**
 * Makes the set-up for the key and gateway in a document's address. A refusal is a set-up too: the form says it in words, and the page gets
 * a `systemError`. `languagesUrl`: the folder with the texts of the form's own release. Kept releases rely on this set-up for ever: fields
 * may be added, none may be removed.
 */
export async function frameSetup(
  deps: FrameDeps,
  { publicKey, gatewayId }: { publicKey: string; gatewayId: string },
  languagesUrl: string,
): Promise<WidgetSetup> {
  if (publicKey === PREVIEW_KEY) return previewSetup(deps, languagesUrl)
  const merchant = await deps.merchants.keys.holderOf(publicKey, 'public')
  if (merchant === null) {
    return refusal('unauthorized', wordsOnKey(publicKey, deps.widgetUrl), [])
  }
  const gateway = await deps.merchants.gatewayOf(merchant.id, gatewayId)
  if (gateway === null) {
    return refusal(
      'gateway_not_found',
      gatewayId === 'default' || gatewayId === 'not_configured'
        ? `The form was not shown. ${NO_GATEWAY}`
        : 'The form was not shown: the merchant of this public key has no such gateway. Check the gateway id that HtmlWidget was given.',
      merchant.allowedOrigins,
    )
  }
  return {
    setup: {
      ready: true,
      public_key: publicKey,
      gateway_id: gatewayId,
      gateway_type: gateway.type,
      tokens_url: deps.tokensUrl,
      languages_url: languagesUrl,
      today: deps.today(),
    },
    asked: [deps.tokensUrl],
    ancestors: merchant.allowedOrigins,
  }
}

/** The card form as on a merchant's page; it may send nothing, and no route takes its key. */
function previewSetup({ tokensUrl, previewAncestors, today }: FrameDeps, languagesUrl: string): WidgetSetup {
  return {
    setup: {
      ready: true,
      public_key: PREVIEW_KEY,
      gateway_id: 'default',
      gateway_type: 'preview',
      tokens_url: tokensUrl,
      languages_url: languagesUrl,
      today: today(),
    },
    asked: [],
    ancestors: previewAncestors,
  }
}

function refusal(
  code: 'unauthorized' | 'gateway_not_found',
  message: string,
  ancestors: readonly string[],
): WidgetSetup {
  return { setup: { ready: false, error: { code, message } }, asked: [], ancestors }
}

/** Does not repeat the key: otherwise each wrong key would need a document of its own. */
function wordsOnKey(given: string, widgetUrl: string): string {
  return given.startsWith('sk_')
    ? 'That is a secret key. Remove it from the page, replace it, and pass the pk_… key.'
    : `The form was not shown: ${widgetUrl} does not know this public key. Check the key that HtmlWidget was given.`
}
