import { WidgetError } from './widget-error.ts'

/** The form did not come, or came and did not answer, in time. */
export function frameNotLoaded(origin: string): WidgetError {
  const offline = navigator.onLine ? '' : 'The device is offline. '
  return new WidgetError({
    code: 'frame_not_loaded',
    message:
      `${offline}The card form from ${origin} did not answer in time. Check that the shopper's network reaches ` +
      "it, that the page's Content-Security-Policy names it in frame-src, and that the page's origin is one of " +
      'those allowed for this public key.',
    retryable: true,
  })
}

/** The page's own policy does not let the form in. */
export function blockedByCsp(origin: string): WidgetError {
  return new WidgetError({
    code: 'blocked_by_csp',
    message: `This page's Content-Security-Policy blocks the card form. Add to it: frame-src ${origin}`,
  })
}

/** The script came from no web address and its build names none for the environment. */
export function originUnknown(): WidgetError {
  return new WidgetError({
    code: 'widget_origin_unknown',
    message: "The SDK cannot tell where the card form is: name its address, setEnv('…', 'https://…').",
  })
}

/** `load()` of a widget that was destroyed, before or during it. */
export function destroyed(): WidgetError {
  return new WidgetError({
    code: 'widget_destroyed',
    message: 'This widget was destroyed. Make a new one to show the form again.',
  })
}

/** A submit while there is no form that could take it. */
export function formNotLoaded(): WidgetError {
  return new WidgetError({
    code: 'form_not_loaded',
    message: 'The card form is not there yet. Submit it after afterLoad, or call load() again.',
    retryable: true,
  })
}

/** A submit that the form never answered. */
export function submitTimedOut(): WidgetError {
  return new WidgetError({
    code: 'submit_timed_out',
    message: 'The card form did not answer. Nothing was charged; submit again.',
    retryable: true,
  })
}
