import * as v from 'valibot'

/** The id of a resource: 24 hex characters, lower case (contract §2). */
export const Identifier = v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/, 'id must be 24 hex characters'))
