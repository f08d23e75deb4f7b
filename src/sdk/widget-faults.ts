import { WidgetError } from './widget-error.ts'

/** The form did not come, or came and did not answer, in time. */
export function frameNotLoaded(origin: string): WidgetError {
  return new WidgetError({
    code: 'frame_not_loaded',
    message:
      `The card form from ${origin} did not answer in time. Check that the shopper's network reaches it, that ` +
      "the page's Content-Security-Policy names it in frame-src, and that the page's origin is one of those " +
      'allowed for this public key.',
    retryable: true,
  })
}

/** The script came from no web address and its build names none for the environment. */
export function originUnknown(): WidgetError {
  return new WidgetError({
    code: 'widget_origin_unknown',
    message: "The SDK cannot tell where the card form is: name its address, setEnv('…', 'https://…').",
    retryable: false,
  })
}

/** `load()` of a widget that was destroyed, before or during it. */
export function destroyed(): WidgetError {
  return new WidgetError({
    code: 'widget_destroyed',
    message: 'This widget was destroyed. Make a new one to show the form again.',
    retryable: false,
  })
}
