import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { languageOf } from '../../../contract/page/language-of.ts'
import { answerContent } from '../../platform/http/answers/content.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { answerFaultDocument } from './fault-document.ts'
import {
  createFrameDocuments,
  FRAMED_HEADERS,
  frameContentSecurityPolicy,
  releaseNotFound,
  templatesByRelease,
} from './documents.ts'
import type { Ancestors } from './documents.ts'
import type { Release } from './release.ts'

interface AuthenticationDocumentDeps {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  /** Where the API is. */
  baseUrl: string
  /** Whether banks' pages may come from this very machine by http. */
  isSandbox: boolean
  /** Origins whose pages may show the step of an authentication; null for an unknown one. */
  ancestorsOf: (authenticationId: string) => Promise<Ancestors | null>
}

const Path = v.object({ release: v.string() })
const Query = v.object({
  authentication_id: v.fallback(v.string(), ''),
  /** An unknown one counts as none. */
  language: v.pipe(v.fallback(v.string(), ''), v.transform(languageOf)),
})

/** Banks' pages may come from anywhere, by https. */
const BANKS = 'https:'
const OWN_MACHINE = 'http://localhost:* http://127.0.0.1:*'

/** Nothing that a browser may ask a person for, or do with a device, can be passed on to a bank's page. */
const PERMISSIONS = [
  'autoplay',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'fullscreen',
  'geolocation',
  'hid',
  'idle-detection',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((name) => `${name}=()`)
  .join(', ')

/**
 * The document in which a card holder's bank is shown (contract §4.3), of every release that has one. It is the only one of the service whose
 * policy lets pages of others into a frame, so a merchant's policy need not.
 */
export function addAuthenticationDocument(
  app: FastifyInstance,
  releases: readonly Release[],
  { widgetUrl, baseUrl, isSandbox, ancestorsOf }: AuthenticationDocumentDeps,
): void {
  const templates = templatesByRelease(releases, 'authentication')
  const documentFor = createFrameDocuments({ brotliQuality: 5 })
  const banks = isSandbox ? `${BANKS} ${OWN_MACHINE}` : BANKS
  app.get(
    '/sdk/:release/authentication',
    { config: { resourceType: 'frame', isRoutine: true }, errorHandler: answerFaultDocument },
    async (request, reply) => {
      const { release } = decode(Path, request.params)
      const template = templates.get(release)
      if (template === undefined) throw releaseNotFound(widgetUrl, release)
      const { authentication_id: id, language } = decode(Query, request.query)
      const ancestors = v.is(Identifier, id) ? ((await ancestorsOf(id)) ?? 'nobody') : []
      const asked = {
        authentication_url: `${baseUrl}/v1/authentications/${v.is(Identifier, id) ? id : ''}`,
        languages_url: `${widgetUrl}/sdk/v${template.version}/languages/authentication/`,
      }
      const { scripts, styles } = template
      const policy = frameContentSecurityPolicy({
        scripts,
        styles,
        asked: Object.values(asked),
        ancestors,
        banks,
      })
      return answerContent(
        request,
        reply,
        documentFor(template, { ...asked, is_sandbox: isSandbox }, language),
        {
          // Not isolated from other origins: hardly any bank's page is, and such a document could not show it.
          ...FRAMED_HEADERS,
          'content-security-policy': policy,
          'permissions-policy': PERMISSIONS,
        },
      )
    },
  )
}
