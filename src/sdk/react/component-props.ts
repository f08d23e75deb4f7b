import type { Layout, Styles, Texts, Theme } from '../../contract/page/widget-appearance.ts'
import type { EventName, EventOf } from '../../contract/page/widget-event.ts'
import type { PaymentFailure, PaymentSuccessful } from '../../contract/page/checkout-event.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import type { FramedForm } from '../framed-form.ts'
import type { HtmlWidget } from '../html-widget.ts'

/** Where the form comes from, and how it looks. A change of the first two makes a new form; the others change it at once. */
interface FormProps {
  environment?: EnvironmentName | undefined
  /** Of the service, such as `https://cards.example`; a bundled SDK can't know it. */
  origin?: string | undefined
  language?: string | undefined
  theme?: Theme | undefined
  layout?: Layout | undefined
  texts?: Texts | undefined
  styles?: Styles | undefined
  /** Whether the focus goes on by itself from a card field that is complete; true if absent. */
  autoAdvance?: boolean | undefined
  /** Of the element around the form. */
  className?: string | undefined
}

type EventProps = {
  [Name in EventName as `on${Capitalize<Name>}`]?: ((event: EventOf<Name>) => unknown) | undefined
}

/** Properties of `<CardWidget>`. A change of key or gateway makes a new form. */
export interface CardWidgetProps extends FormProps, EventProps {
  publicKey: string
  gatewayId?: string | undefined
  refId?: string | undefined
  /** Called once with each new widget before it loads, to use any of its methods. */
  prepare?: ((widget: HtmlWidget) => void) | undefined
}

/** Properties of `<Checkout>`. */
export interface CheckoutProps extends FormProps {
  /** The token of the checkout that your server has made; nothing is shown until it is there. Another one makes a new form. */
  token: string | null | undefined
  /** The page of the shop to which a button leads back who can't pay; it wins over the intent's `return_url`. */
  returnUrl?: string | undefined
  onPaymentSuccessful?: ((payment: PaymentSuccessful) => void) | undefined
  onPaymentFailure?: ((failure: PaymentFailure) => void) | undefined
  onPaymentExpired?: (() => void) | undefined
}

/** Sets how a form looks and behaves; what is undefined stays as it is. */
export function applyLook(
  form: FramedForm,
  { language, theme, layout, texts, styles, autoAdvance }: FormProps,
): void {
  if (language !== undefined) form.setLanguage(language)
  if (theme !== undefined) form.setTheme(theme)
  if (layout !== undefined) form.setLayout(layout)
  if (texts) form.setTexts(texts)
  if (styles) form.setStyles(styles)
  if (autoAdvance !== undefined) form.setAutoAdvance(autoAdvance)
}

/** What `applyLook` reads, for an effect's list of dependencies: texts and styles by their content. */
export function lookOf({
  language,
  theme,
  layout,
  texts,
  styles,
  autoAdvance,
}: FormProps): readonly unknown[] {
  return [language, theme, layout, JSON.stringify(texts), JSON.stringify(styles), autoAdvance]
}
