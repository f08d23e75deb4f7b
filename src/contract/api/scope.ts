/** What an access token may be good for (contract §6.1). */
export const SCOPES = ['agreements:read', 'agreements:write', 'payments:read', 'payments:write'] as const
export type Scope = (typeof SCOPES)[number]
