import type { SystemErrorEvent, ValidationErrorEvent } from '../contract/page/widget-event.ts'

/** What the promises of `load()` and `submit()` reject with: a fault, and the event that told it. */
export class WidgetError extends Error {
  override readonly name = 'WidgetError'
  /** One word to branch on, such as `frame_not_loaded`. */
  readonly code: string
  /** Whether the same call may work when it is made again. */
  readonly retryable: boolean
  /** The event with all its details, where one was told. */
  readonly event: SystemErrorEvent | ValidationErrorEvent | undefined

  constructor(
    fault: { code: string; message: string; retryable?: boolean },
    event?: SystemErrorEvent | ValidationErrorEvent,
  ) {
    super(fault.message)
    this.code = fault.code
    this.retryable = fault.retryable ?? false
    this.event = event
  }
}
