/** Stable codes to branch on. */
export type SdkLoadErrorCode = 'sdk_load_failed' | 'sdk_load_timeout' | 'sdk_not_found_after_load' | 'aborted'

/** Why the SDK could not be loaded. The message says what to do. */
export class SdkLoadError extends Error {
  override readonly name = 'SdkLoadError'
  readonly code: SdkLoadErrorCode
  /** Whether the same call may succeed when it is repeated. */
  readonly retryable: boolean

  constructor(
    code: SdkLoadErrorCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
  }
}
