import { computed, effect } from '@preact/signals'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { createAfterPaintQueue } from '../after-paint-queue.ts'
import { createAfterClick } from '../form/after-click.ts'
import { emitSize } from '../content-size.ts'
import { keepInputsRead, readInputs } from '../field/read-inputs.ts'
import { wordsOf } from '../form/form-state.ts'
import { reportTyped, sayEmptied } from '../form/empty-form.ts'
import { createForm } from '../form/form-view.ts'
import type { Form } from '../form/form-view.ts'
import { renderPage } from '../render.ts'
import { createServiceClock } from '../service-clock.ts'
import { isHiddenAtFirst, showAbandoned, showContent, showLate, showWelcomed } from '../show-content.ts'
import { openPageChannel } from '../page-channel.ts'
import type { Browser } from '../browser.ts'
import { createSettingsHandler } from '../form/settings-handler.ts'
import { amountText, payTextOf } from './checkout-words.ts'
import { createCheckoutControls } from './checkout-controls.ts'
import { CheckoutPage } from './checkout-page.tsx'
import { createCheckoutState } from './checkout-state.ts'
import type { CheckoutState } from './checkout-state.ts'

interface CheckoutParts extends Browser {
  frameWindow: Window
  /** The element that holds the prerendered page. */
  content: HTMLElement
  setup: CheckoutSetup
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This checkout and the page around it are of different versions. Reload the page.',
  retryable: false,
} as const

/** Hydrates the prerendered checkout and waits for the page's welcome. Composition root of the checkout's document. */
export function startCheckout(parts: CheckoutParts): void {
  const { frameWindow, content, setup, send, warn } = parts
  const page = frameWindow.document
  const state = createCheckoutState()
  const clock = createServiceClock(setup.today, parts.elapsed)
  const form = createForm({
    now: clock.now,
    translation: setup.language,
    inputs: () => content.querySelectorAll('input'),
    afterClick: createAfterClick(page),
    afterPaint: createAfterPaintQueue(frameWindow),
    submitText: payTextOf,
    waitsForAmount: true,
  })
  const changeSettings = createSettingsHandler(form, { page, languagesUrl: setup.languages_url, send, warn })
  let pageSettings: WidgetSettings = {}
  const changePageSettings = (change: WidgetSettings) => {
    readInputs(form)
    pageSettings = mergedSettings(pageSettings, change)
    changeSettings(change)
  }
  const showSession = (session: CheckoutSession) => {
    if (form.phase.value !== 'opening') return
    readInputs(form)
    changeSettings(settingsOf(session))
    changeSettings(pageSettings) // The page's settings win over the templates'.
    form.phase.value = 'ready'
  }
  const showAndReportSize = () => {
    showContent(content)
    emitSize(content, emit)
  }
  const { emit, setTitle, tellTyped } = openPageChannel(frameWindow, CheckoutWelcome, parts.after, {
    welcomed: ({ token, settings, is_reloaded }) => {
      showWelcomed(form)
      changePageSettings(settings)
      if (isHiddenAtFirst(frameWindow)) whenOpened(state, form, showAndReportSize)
      else showAndReportSize()
      effect(() => setTitle(wordsOf(form, 'title')))
      reportTyped(form, tellTyped)
      if (is_reloaded === true) sayEmptied(form)
      controls = createCheckoutControls(state, form, { ...parts, clock, token, emit, showSession })
    },
    late: () => showLate(form, content),
    abandoned: () => showAbandoned(form, content),
    mismatched: () => {
      showContent(content)
      emit({ event: 'systemError', error: MISMATCH })
    },
    commanded: (command) => {
      if (command.command === 'set') changePageSettings(command.settings)
    },
    reference: () => '',
  })
  let controls: ReturnType<typeof createCheckoutControls> | null = null
  effect(() => void (form.amount.value = amountIn(state, form)))
  keepInputsRead(form, frameWindow)
  const submit = () => void controls?.submit()
  renderPage(content, <CheckoutPage state={state} form={form} emit={emit} submit={submit} />)
}

/** The amount to pay in the form's language; '' until it is known. */
function amountIn({ session }: CheckoutState, { translation }: Form): string {
  const { amount, currency } = session.value ?? {}
  return amount === undefined || currency === undefined
    ? ''
    : amountText(amount, currency, translation.value.code)
}

/** Calls back once the intent has been read, or there is something to say of that. */
function whenOpened({ screen }: CheckoutState, { alert }: Form, opened: () => void): void {
  const isOpened = computed(() => screen.value !== 'opening' || alert.value !== null)
  const stop = isOpened.subscribe((isNow) => {
    if (!isNow) return
    stop()
    opened()
  })
}

/** The form settings of the intent's templates, and the known details of its card holder. */
function settingsOf({ configuration, customisation, customer = {} }: CheckoutSession): WidgetSettings {
  return { ...configuration, ...customisation, values: customer }
}
