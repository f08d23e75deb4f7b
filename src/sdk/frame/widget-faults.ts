import { WidgetError } from '../widget-error.ts'

/** The form did not load, or did not answer, in time, for a reason that the page can't know. */
export const frameNotLoaded = (origin: string) =>
  fault(
    'frame_not_loaded',
    `${navigator.onLine ? '' : 'Offline. '}No answer from ${origin}. Check the network, and that this is the service's address.`,
    true,
  )

/** The service lets other origins show the form, but not this page's. */
export const originNotAllowed = (origin: string) =>
  fault(
    'origin_not_allowed',
    `The browser blocked ${origin}: ${location.origin} is not among the merchant's origins. Have it added.`,
  )

/** Browsers show nothing of http in a page of https, but for the machine's own addresses. */
export const mixedContent = (origin: string) =>
  fault('mixed_content', `An https page cannot show a form from ${origin}. Give setEnv an https address.`)

/** A key that is in a page is known to all. It is sent nowhere. */
export const secretKeyInPage = () =>
  fault('secret_key', 'That is a secret key. Remove it from the page, replace it, and pass the pk_… key.')

export const publicKeyMissing = (given: unknown) =>
  fault('unauthorized', `The public key is ${JSON.stringify(given)}. Pass the pk_… key.`)

/** The page's own Content-Security-Policy blocks the form. */
export const blockedByCsp = (origin: string) =>
  fault('blocked_by_csp', `This page's Content-Security-Policy lacks: frame-src ${origin}`)

/** The script came from no web address, and its build names no origin for the environment. */
export const originUnknown = () =>
  fault(
    'widget_origin_unknown',
    "The SDK does not know its service. Call setEnv('sandbox', 'https://your-service'); in React, set the prop origin.",
  )

/** `load()` of a widget that was destroyed before or during the load. */
export const destroyed = () => fault('widget_destroyed', 'This widget was destroyed. Make a new one.')

/** A submit while no form is loaded. */
export const formNotLoaded = () =>
  fault('form_not_loaded', 'There is no form to submit. Call load(), and submit after afterLoad.', true)

function fault(code: string, message: string, retryable = false): WidgetError {
  return new WidgetError({ code, message, retryable })
}
