import { createElement } from 'react'
import type { ReactElement } from 'react'
import { frameAttributes } from '../../contract/page/frame-html.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { tokenContentOf } from '../checkout.ts'
import { VERSION } from '../constants.ts'
import { HtmlWidget } from '../html-widget.ts'
import { widgetOrigin } from '../iframe-host/environment.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import { layoutOf } from '../iframe-host/form-layout.ts'
import type { FormLayout } from '../iframe-host/form-layout.ts'
import { commonOpener } from '../iframe-host/form-opener.ts'
import { hostOf } from '../iframe-host/frame-host.ts'
import { keyFault } from '../iframe-host/load-faults.ts'
import { applyLook } from './component-props.ts'
import type { CardWidgetProps, CheckoutProps } from './component-props.ts'
import type { Box, Hooks } from './create-card-widget.ts'

/** The iframe of a card form; null if a server can't know the service's origin, or the key must not be asked for. */
export function cardFrame(props: CardWidgetProps): ReactElement | null {
  const { publicKey, gatewayId = 'default', prepare } = props
  if (keyFault(publicKey) !== null) return null
  const { settings } = settingsOf(props)
  const query = { public_key: publicKey, gateway_id: gatewayId, language: settings.language }
  return frameOf(props, 'frame', query, layoutOf(settings, 0), prepare !== undefined)
}

/** The same of a checkout; null also while there is no token. */
export function checkoutFrame(props: CheckoutProps): ReactElement | null {
  if (!props.token) return null
  const { intentId, description, form, language } = tokenContentOf(props.token)
  const settings = mergedSettings(form ?? {}, settingsOf(props).settings)
  const query = { intent_id: intentId, language: settings.language ?? language }
  return frameOf(props, 'checkout', query, layoutOf(settings, 0, { description }), false)
}

/**
 * The first iframe that a component has, for as long as it is there: the SDK adopts it, or puts another into its place, so React must
 * neither change it nor take it out.
 */
export function useFirstFrame(
  { useRef }: Pick<Hooks, 'useRef'>,
  make: () => ReactElement | null,
): ReactElement | null {
  const first: Box<ReactElement | null> = useRef<ReactElement | null>(null)
  first.current ??= make()
  return first.current
}

function settingsOf(props: CardWidgetProps | CheckoutProps) {
  const widget = new HtmlWidget('html', '')
  applyLook(widget, props)
  return hostOf(widget)
}

function frameOf(
  {
    environment = 'sandbox',
    origin,
  }: { environment?: EnvironmentName | undefined; origin?: string | undefined },
  document: 'frame' | 'checkout',
  query: Record<string, string | undefined>,
  { height, isAsBuilt }: FormLayout,
  isPrepared: boolean,
): ReactElement | null {
  // What served this script is known in a browser only, and both must render the same.
  const known = origin || __SVC_ORIGINS__[environment] ? widgetOrigin(environment, origin) : ''
  // The test double's forms are in no frame, and ask no service.
  if (known === '' || commonOpener().origin !== undefined) return null
  const isCustomised = !isAsBuilt || isPrepared
  const form = { origin: known, release: `v${VERSION}`, document, query, height, isCustomised }
  const { referrerpolicy: referrerPolicy, frameborder: frameBorder, ...others } = frameAttributes(form)
  return createElement('iframe', { ...others, referrerPolicy, frameBorder })
}
