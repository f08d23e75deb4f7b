import type { FormErrorCode } from '../contract/page/form-error-code.ts'
import type { SystemErrorEvent, ValidationErrorEvent } from '../contract/page/widget-event.ts'

/** The error that `load()` and `submit()` reject with. */
export class WidgetError extends Error {
  override readonly name = 'WidgetError'
  /** Stable code to branch on, such as `frame_not_loaded`. */
  readonly code: FormErrorCode
  /** Whether the same call may succeed when it is repeated. */
  readonly retryable: boolean
  /** The event that reported the fault, if there was one. */
  readonly event: SystemErrorEvent | ValidationErrorEvent | undefined

  constructor(
    fault: { code: FormErrorCode; message: string; retryable?: boolean },
    event?: SystemErrorEvent | ValidationErrorEvent,
  ) {
    super(fault.message)
    this.code = fault.code
    this.retryable = fault.retryable ?? false
    this.event = event
  }
}
