import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { runnerImport } from 'vite'
import type * as AuthenticationPages from '../src/frame/authentication/authentication-page.tsx'
import type * as AuthenticationStates from '../src/frame/authentication/authentication-state.ts'
import type * as CheckoutPages from '../src/frame/checkout/checkout-page.tsx'
import type * as CheckoutStates from '../src/frame/checkout/checkout-state.ts'
import type * as Forms from '../src/frame/form/form-view.ts'
import type * as FramePages from '../src/frame/frame-page.tsx'
import type { LanguageFile } from './language-files.ts'

type Prerender = (file: LanguageFile) => string

const noop = () => undefined

/** Renders the card form in its initial state. */
export async function framePrerenderer(): Promise<Prerender> {
  const { FramePage } = await moduleOf<typeof FramePages>('frame-page.tsx')
  const { createForm } = await moduleOf<typeof Forms>('form/form-view.ts')
  return ({ language, words }) => {
    const form = createForm({ now: () => 0, translation: { code: language, words } })
    return renderToString(h(FramePage, { form, emit: noop, submit: noop, focusForm: noop }))
  }
}

/** Renders the checkout before its intent has been read. */
export async function checkoutPrerenderer(): Promise<Prerender> {
  const { CheckoutPage } = await moduleOf<typeof CheckoutPages>('checkout/checkout-page.tsx')
  const { createCheckoutState } = await moduleOf<typeof CheckoutStates>('checkout/checkout-state.ts')
  const { createForm } = await moduleOf<typeof Forms>('form/form-view.ts')
  return ({ language, words }) => {
    const translation = { code: language, words }
    const form = createForm({ now: () => 0, translation, waitsForAmount: true })
    const state = createCheckoutState()
    return renderToString(h(CheckoutPage, { state, form, emit: noop, submit: noop }))
  }
}

/** Renders the step of a bank before anything of it has been read. */
export async function authenticationPrerenderer(): Promise<Prerender> {
  const { AuthenticationPage } = await moduleOf<typeof AuthenticationPages>(
    'authentication/authentication-page.tsx',
  )
  const { createAuthenticationState } = await moduleOf<typeof AuthenticationStates>(
    'authentication/authentication-state.ts',
  )
  return ({ language, words }) => {
    const state = createAuthenticationState({ code: language, words })
    const actions = { framed: noop, askToCancel: noop, goOn: noop, giveUp: noop }
    return renderToString(h(AuthenticationPage, { state, ...actions }))
  }
}

async function moduleOf<Module>(path: string): Promise<Module> {
  return (await runnerImport<Module>(`./src/frame/${path}`)).module
}
