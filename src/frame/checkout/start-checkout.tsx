import { effect } from '@preact/signals'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { CheckoutSession } from '../../contract/api/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { createAfterClick } from '../form/after-click.ts'
import { tellSize } from '../content-size.ts'
import { takeEarlyTyping } from '../field/early-typing.ts'
import { wordsOf } from '../form/form-state.ts'
import { createForm } from '../form/form-view.ts'
import { renderPage } from '../render.ts'
import { openPageChannel } from '../page-channel.ts'
import type { Surroundings } from '../tokenise/retrying-tokeniser.ts'
import { createSettingsHandler } from '../form/settings-handler.ts'
import { amountText, payTextOf } from './checkout-words.ts'
import { createCheckoutControls } from './checkout-controls.ts'
import { CheckoutPage } from './checkout-page.tsx'
import { createCheckoutState } from './checkout-state.ts'

interface CheckoutParts extends Surroundings {
  frameWindow: Window
  /** The element that holds the prerendered page. */
  content: HTMLElement
  setup: CheckoutSetup
  warn: (message: string) => void
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This checkout and the page around it are of different versions. Reload the page.',
  retryable: false,
}

/** Brings the prerendered checkout to life and waits for the page's welcome; its document's composition root. */
export function startCheckout(parts: CheckoutParts): void {
  const { frameWindow, content, setup, now, send, warn } = parts
  const page = frameWindow.document
  const state = createCheckoutState()
  const form = createForm({
    now,
    translation: setup.language,
    afterClick: createAfterClick(page),
    submitText: payTextOf,
  })
  const take = createSettingsHandler(form, { page, languagesUrl: setup.languages_url, send, warn })
  let ofPage: WidgetSettings = {}
  const takeFromPage = (settings: WidgetSettings) => {
    ofPage = mergedSettings(ofPage, settings)
    take(settings)
  }
  const open = (session: CheckoutSession) => {
    if (form.phase.value !== 'opening') return
    form.phase.value = 'ready'
    take(settingsOf(session))
    take(ofPage)
  }
  const { emit, nameFrame } = openPageChannel(frameWindow, CheckoutWelcome, {
    welcomed: ({ token, settings }) => {
      takeFromPage(settings)
      tellSize(content, emit)
      effect(() => nameFrame(wordsOf(form, 'title')))
      controls = createCheckoutControls(state, form, { ...parts, token, emit, open })
    },
    mismatched: () => emit({ event: 'systemError', error: MISMATCH }),
    commanded: (command) => {
      if (command.command === 'set') takeFromPage(command.settings)
    },
    reference: () => '',
  })
  let controls: ReturnType<typeof createCheckoutControls> | null = null
  effect(() => {
    const { amount, currency } = state.session.value ?? {}
    form.amount.value =
      amount === undefined || currency === undefined
        ? ''
        : amountText(amount, currency, form.translation.value.code)
  })
  takeEarlyTyping(form, content)
  const submit = () => controls?.submit()
  const retry = () => controls?.retry()
  renderPage(content, <CheckoutPage state={state} form={form} submit={submit} retry={retry} />)
}

/** What the intent's templates say of the form, and what is known of its card holder. */
function settingsOf({ configuration, customisation, customer = {} }: CheckoutSession): WidgetSettings {
  return { ...configuration, ...customisation, values: customer }
}
