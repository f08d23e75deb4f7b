import * as v from 'valibot'

/** `resource` of the answer to a tokenise request: the one-time token, a UUID. */
export const TokenResource = v.object({ type: v.literal('token'), data: v.pipe(v.string(), v.uuid()) })
