import { frameHtml } from '../../contract/page/frame-html.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { tokenContentOf } from '../checkout.ts'
import { VERSION } from '../constants.ts'
import { HtmlWidget } from '../html-widget.ts'
import { widgetOrigin } from '../iframe-host/environment.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import { layoutOf } from '../iframe-host/form-layout.ts'
import type { FormLayout } from '../iframe-host/form-layout.ts'
import { hostOf } from '../iframe-host/frame-host.ts'
import { applyLook } from './component-props.ts'
import type { CardWidgetProps, CheckoutProps } from './component-props.ts'
import type { Box, Hooks } from './create-card-widget.ts'

/** The iframe of a card form, for the HTML that a server renders; '' if it does not know the service's origin. */
export function cardFrameHtml(props: CardWidgetProps): string {
  const { publicKey, gatewayId = 'default', prepare } = props
  const { settings } = settingsOf(props)
  const query = { public_key: publicKey, gateway_id: gatewayId, language: settings.language }
  return htmlOf(props, 'frame', query, layoutOf(settings, 0), prepare !== undefined)
}

/** The same of a checkout; '' also while there is no token. */
export function checkoutFrameHtml(props: CheckoutProps): string {
  if (!props.token) return ''
  const { intentId, description, form, language } = tokenContentOf(props.token)
  const settings = mergedSettings(form ?? {}, settingsOf(props).settings)
  const query = { intent_id: intentId, language: settings.language ?? language }
  return htmlOf(props, 'checkout', query, layoutOf(settings, 0, { description }), false)
}

/** Keeps the HTML of a component's first rendering for as long as it shows the same form: React would write a changed one anew. */
export function useFirstHtml(
  { useRef }: Pick<Hooks, 'useRef'>,
  form: readonly unknown[],
  make: () => string,
): string {
  const first: Box<{ form: string; html: string } | null> = useRef<{ form: string; html: string } | null>(
    null,
  )
  const name = JSON.stringify(form)
  if (first.current?.form !== name) first.current = { form: name, html: make() }
  return first.current.html
}

function settingsOf(props: CardWidgetProps | CheckoutProps) {
  const widget = new HtmlWidget('html', '')
  applyLook(widget, props)
  return hostOf(widget)
}

function htmlOf(
  {
    environment = 'sandbox',
    origin,
  }: { environment?: EnvironmentName | undefined; origin?: string | undefined },
  document: 'frame' | 'checkout',
  query: Record<string, string | undefined>,
  { height, isAsBuilt }: FormLayout,
  isPrepared: boolean,
): string {
  // What served this script is known in a browser only, and both must render the same.
  const known = origin || __SVC_ORIGINS__[environment] ? widgetOrigin(environment, origin) : ''
  if (known === '') return ''
  const isCustomised = !isAsBuilt || isPrepared
  return frameHtml({ origin: known, release: `v${VERSION}`, document, query, height, isCustomised })
}
