import { WidgetError } from '../widget-error.ts'

/** The form did not come, or came and did not answer, in time. */
export const frameNotLoaded = (origin: string) =>
  fault(
    'frame_not_loaded',
    `${navigator.onLine ? '' : 'Offline. '}No answer from ${origin}. ` +
      "Check the network and the public key's origins.",
    true,
  )

/** The page's own policy does not let the form in. */
export const blockedByCsp = (origin: string) =>
  fault('blocked_by_csp', `This page's Content-Security-Policy lacks: frame-src ${origin}`)

/** The script came from no web address and its build names none for the environment. */
export const originUnknown = () => fault('widget_origin_unknown', 'Say where it is: setEnv(name, origin).')

/** `load()` of a widget that was destroyed, before or during it. */
export const destroyed = () => fault('widget_destroyed', 'Destroyed: make a new widget.')

/** A submit while there is no form that could take it. */
export const formNotLoaded = () => fault('form_not_loaded', 'Submit after afterLoad.', true)

function fault(code: string, message: string, retryable = false): WidgetError {
  return new WidgetError({ code, message, retryable })
}
