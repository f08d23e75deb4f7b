import { CARD_FORM_HEIGHT, frameHtml as markupOf } from '../contract/page/frame-html.ts'

/** A card form that a page holds before its scripts run. */
export interface FrameHtmlOptions {
  /** Origin of the service, such as `https://cards.example`; the same that the widget loads its form from. */
  origin: string
  /** The public key (`pk_…`). */
  publicKey: string
  /** As the widget is given it. */
  gatewayId?: string
  /** The form's language, such as `de`. Without it the form begins in English, and goes on in the page's. */
  language?: string
  /** The SDK release that the page loads, such as `v1.3.0`; that of this package if left out. */
  release?: string
  /** Height in px, for a form with more than the card's own fields. */
  height?: number
  /** Whether the page sets fields, texts or looks: nothing shows before the form has them. */
  isCustomised?: boolean
}

/**
 * The markup of a card form, for the element that `HtmlWidget` is given: `<div id="card">${frameHtml({…})}</div>`. The form loads beside the
 * SDK, which takes it over. Every value is escaped. A checkout's markup comes with the checkout: `recommended_sdk_frame_html`.
 * @throws TypeError unless `origin` is an address and `publicKey` a text; also on a secret key, which is not repeated.
 */
export function frameHtml({
  origin,
  publicKey,
  gatewayId = 'default',
  language,
  release = `v${__SVC_VERSION__}`,
  height = CARD_FORM_HEIGHT,
  isCustomised = false,
}: FrameHtmlOptions): string {
  if (!URL.canParse(origin))
    throw new TypeError('frameHtml: origin must be an address, like https://cards.example.')
  if (typeof publicKey !== 'string' || publicKey === '')
    throw new TypeError('frameHtml: publicKey must be a text: pk_….')
  if (publicKey.trim().startsWith('sk_'))
    throw new TypeError(
      'frameHtml: publicKey is a secret key, which must stand in no page. Pass the pk_… key.',
    )
  const query = { public_key: publicKey, gateway_id: gatewayId, language }
  return markupOf({ origin: new URL(origin).origin, release, document: 'frame', query, height, isCustomised })
}
