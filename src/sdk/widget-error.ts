/** Why a widget did not load: what `load()` rejects with, and what its `systemError` event says. */
export class WidgetError extends Error {
  override readonly name = 'WidgetError'
  /** One word to branch on, such as `frame_not_loaded`. */
  readonly code: string
  /** Whether the same `load()` may work when it is called again. */
  readonly retryable: boolean

  constructor(fault: { code: string; message: string; retryable: boolean }) {
    super(fault.message)
    this.code = fault.code
    this.retryable = fault.retryable
  }
}
