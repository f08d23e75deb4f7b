/** What may go wrong on the way to an SDK; stable, to branch on. */
export type SdkLoadErrorCode = 'sdk_load_failed' | 'sdk_load_timeout' | 'sdk_not_found_after_load' | 'aborted';
/** Why there is no SDK; the message says what to do about it. */
export declare class SdkLoadError extends Error {
    readonly name = "SdkLoadError";
    readonly code: SdkLoadErrorCode;
    /** Whether the same call may work when it is made again. */
    readonly retryable: boolean;
    constructor(code: SdkLoadErrorCode, message: string, options?: {
        retryable?: boolean;
        cause?: unknown;
    });
}
