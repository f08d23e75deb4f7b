import { WidgetError } from '../widget-error.ts'

/** The form did not load, or did not answer, in time. */
export const frameNotLoaded = (origin: string) =>
  fault(
    'frame_not_loaded',
    `${navigator.onLine ? '' : 'Offline. '}No answer from ${origin}. ` +
      "Check the network and the public key's origins.",
    true,
  )

/** The page's own Content-Security-Policy blocks the form. */
export const blockedByCsp = (origin: string) =>
  fault('blocked_by_csp', `This page's Content-Security-Policy lacks: frame-src ${origin}`)

/** The script came from no web address, and its build names no origin for the environment. */
export const originUnknown = () => fault('widget_origin_unknown', 'Say where it is: setEnv(name, origin).')

/** `load()` of a widget that was destroyed before or during the load. */
export const destroyed = () => fault('widget_destroyed', 'Destroyed: make a new widget.')

/** A submit while no form is loaded. */
export const formNotLoaded = () => fault('form_not_loaded', 'Submit after afterLoad.', true)

function fault(code: string, message: string, retryable = false): WidgetError {
  return new WidgetError({ code, message, retryable })
}
