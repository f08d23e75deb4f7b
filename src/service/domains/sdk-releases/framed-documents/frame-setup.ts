import { PREVIEW_KEY } from '../../../../contract/dashboard/templates/template-preview.ts'
import { NO_GATEWAY } from '../../../platform/errors.ts'
import type { KeySetup } from '../../../../contract/page/frame-setup.ts'

/** What the page of a widget gets for its key: the set-up, what it may ask beside its languages, and who may show it. */
export interface WidgetSetup {
  setup: KeySetup
  /** Addresses. */
  asked: readonly string[]
  ancestors: readonly string[]
}

/** What has to be known of merchants. */
export interface FrameMerchants {
  keys: {
    holderOf: (
      key: string,
      kind: 'public',
    ) => Promise<{ id: string; allowedOrigins: readonly string[] } | null>
  }
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<{ type: string } | null>
}

interface Parts {
  merchants: FrameMerchants
  tokensUrl: string
  /** Origin that the documents are served from. */
  widgetUrl: string
  /** Origins of the preview's document and of the dashboard, which frames that. */
  previewAncestors: readonly string[]
  /** The day now, such as `2026-11-22`, UTC. */
  today: () => string
}

/**
 * The set-up that a frame document gets for the key and gateway in its address. A refusal is a set-up too: the
 * frame says it in words, and the page hears of it as a `systemError`. `languagesUrl` is the folder with the texts of the
 * frame's own release. Kept releases live on this set-up for ever: fields may join it, none may leave it.
 */
export function createFrameSetup({ merchants, tokensUrl, widgetUrl, previewAncestors, today }: Parts) {
  return async (publicKey: string, gatewayId: string, languagesUrl: string): Promise<WidgetSetup> => {
    if (publicKey === PREVIEW_KEY) return preview(languagesUrl)
    const merchant = await merchants.keys.holderOf(publicKey, 'public')
    if (merchant === null) {
      return refusal('unauthorized', wordsOnKey(publicKey, widgetUrl), [])
    }
    const gateway = await merchants.gatewayOf(merchant.id, gatewayId)
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
        tokens_url: tokensUrl,
        languages_url: languagesUrl,
        today: today(),
      },
      asked: [tokensUrl],
      ancestors: merchant.allowedOrigins,
    }
  }

  /** The card form as on a merchant's page, without leave to send anything, and with a key that no route takes. */
  function preview(languagesUrl: string): WidgetSetup {
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
}

function refusal(
  code: 'unauthorized' | 'gateway_not_found',
  message: string,
  ancestors: readonly string[],
): WidgetSetup {
  return { setup: { ready: false, error: { code, message } }, asked: [], ancestors }
}

/** Does not repeat the key: else each wrong key would need a document of its own. */
function wordsOnKey(given: string, widgetUrl: string): string {
  return given.startsWith('sk_')
    ? 'That is a secret key. Remove it from the page, replace it, and pass the pk_… key.'
    : `The form was not shown: ${widgetUrl} does not know this public key. Check the key that HtmlWidget was given.`
}
