import { WidgetError } from './widget-error.ts'

/** The form did not come, or came and did not answer, in time. */
export const frameNotLoaded = (origin: string) =>
  fault(
    'frame_not_loaded',
    `${navigator.onLine ? '' : 'The device is offline. '}The card form from ${origin} did not answer. ` +
      "Check the network, and that the public key allows this page's origin.",
    true,
  )

/** The page's own policy does not let the form in. */
export const blockedByCsp = (origin: string) =>
  fault(
    'blocked_by_csp',
    `This page's Content-Security-Policy blocks the card form. Add: frame-src ${origin}`,
  )

/** The script came from no web address and its build names none for the environment. */
export const originUnknown = () =>
  fault('widget_origin_unknown', "Say where the card form is: setEnv('…', 'https://…').")

/** `load()` of a widget that was destroyed, before or during it. */
export const destroyed = () => fault('widget_destroyed', 'This widget was destroyed. Make a new one.')

/** A submit while there is no form that could take it. */
export const formNotLoaded = () => fault('form_not_loaded', 'Submit the card form after afterLoad.', true)

function fault(code: string, message: string, retryable = false): WidgetError {
  return new WidgetError({ code, message, retryable })
}
