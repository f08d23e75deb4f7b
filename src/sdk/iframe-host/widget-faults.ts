import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import { WidgetError } from '../widget-error.ts'

/** The form did not load, or did not answer, in time, for a reason that the page can't know. */
export const frameNotLoaded = (origin: string) => {
  const offline = navigator.onLine ? '' : 'Offline. '
  const ancestors =
    window === parent ? '' : ", and that pages around this one are among the merchant's origins"
  return fault(
    'frame_not_loaded',
    `${offline}No answer from ${origin}. Check the network, and that this is the service's address${ancestors}.`,
    true,
  )
}

/** Something answers, but not with the service's documents. */
export const notTheService = (origin: string) =>
  fault(
    'not_the_service',
    `No form from ${origin}. Check that this is the service's address, and ad blockers.`,
    true,
  )

/** The service lets pages of other origins show the form, but not this page, or not one that this page is shown in. */
export const originNotAllowed = (origin: string, page: string) =>
  fault(
    'origin_not_allowed',
    `The browser blocked ${origin}: ${page} is not among the merchant's origins. Have it added.`,
  )

/** Browsers let no page of the disk show a page of the web that says who may. */
export const pageFromDisk = () =>
  fault('page_from_disk', 'No card form works in a page from the disk. Serve it by http.')

/** A form in a page without an origin has none either: it could not reach the service. */
export const pageSandboxed = () =>
  fault(
    'page_sandboxed',
    'No card form works in a sandboxed page without an origin. Add to its sandbox: allow-same-origin',
  )

/** Something between service and browser has changed the answer's headers. */
export const blockedByHeader = (origin: string) =>
  fault('blocked_by_header', `X-Frame-Options of ${origin} blocks the form. Have the proxy remove it.`)

/** The page has taken the form out, or its container never was in the page. */
export const formNotInPage = () =>
  fault('form_not_in_page', "The form's container is not in the page. Add it, then call load().", true)

/** Two forms in one container: the person would not know which one is the right one. */
export const formReplaced = () =>
  fault('form_replaced', 'Another form was loaded into this container. Destroy one, or use two containers.')

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

function fault(code: FormErrorCode, message: string, retryable = false): WidgetError {
  return new WidgetError({ code, message, retryable })
}
