import { effect } from '@preact/signals'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { createAfterPaintQueue } from '../after-paint-queue.ts'
import { alertReloaded } from '../form/alert.ts'
import { createAfterClick } from '../form/after-click.ts'
import { emitSize } from '../content-size.ts'
import { readInputs } from '../field/read-inputs.ts'
import { wordsOf } from '../form/form-state.ts'
import { createForm } from '../form/form-view.ts'
import type { Form } from '../form/form-view.ts'
import { renderPage } from '../render.ts'
import { createServiceClock } from '../service-clock.ts'
import { isHiddenAtFirst, showAbandoned, showContent } from '../show-content.ts'
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
  const { frameWindow, content, setup, elapsed, send, after, warn } = parts
  const page = frameWindow.document
  const state = createCheckoutState()
  const clock = createServiceClock(setup.today, elapsed)
  const form = createForm({
    now: clock.now,
    translation: setup.language,
    afterClick: createAfterClick(page),
    afterPaint: createAfterPaintQueue(frameWindow),
    submitText: payTextOf,
    waitsForAmount: true,
  })
  const changeSettings = createSettingsHandler(form, { page, languagesUrl: setup.languages_url, send, warn })
  let pageSettings: WidgetSettings = {}
  const changePageSettings = (change: WidgetSettings) => {
    pageSettings = mergedSettings(pageSettings, change)
    changeSettings(change)
  }
  const showSession = (session: CheckoutSession) => {
    if (form.phase.value !== 'opening') return
    form.phase.value = 'ready'
    changeSettings(settingsOf(session))
    changeSettings(pageSettings) // The page's settings win over the templates'.
  }
  const showAndReportSize = () => {
    showContent(content)
    emitSize(content, emit)
  }
  const { emit, setTitle } = openPageChannel(frameWindow, CheckoutWelcome, after, {
    welcomed: ({ token, settings, is_reloaded }) => {
      form.isAbandoned.value = false
      changePageSettings(settings)
      if (isHiddenAtFirst(frameWindow)) whenOpened(state, showAndReportSize)
      else showAndReportSize()
      effect(() => setTitle(wordsOf(form, 'title')))
      controls = createCheckoutControls(state, form, { ...parts, clock, token, emit, showSession })
      if (is_reloaded) alertReloaded(form)
    },
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
  showAmount(state, form)
  readInputs(form, content)
  const submit = () => void controls?.submit()
  const retry = () => void controls?.retry()
  renderPage(content, <CheckoutPage state={state} form={form} emit={emit} submit={submit} retry={retry} />)
}

/** The form shows the intent's amount, in its language. */
function showAmount({ session }: CheckoutState, form: Form): void {
  effect(() => {
    const { amount, currency } = session.value ?? {}
    form.amount.value =
      amount === undefined || currency === undefined
        ? ''
        : amountText(amount, currency, form.translation.value.code)
  })
}

/** Calls back once the intent has been read, or it is known that it can't be. */
function whenOpened({ screen }: CheckoutState, opened: () => void): void {
  const stop = screen.subscribe((name) => {
    if (name === 'opening') return
    stop()
    opened()
  })
}

/** The form settings of the intent's templates, and the known details of its card holder. */
function settingsOf({ configuration, customisation, customer = {} }: CheckoutSession): WidgetSettings {
  return { ...configuration, ...customisation, values: customer }
}
