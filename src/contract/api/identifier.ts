import * as v from 'valibot'

/** Ids of everything the service keeps: 24 hex characters, lower case (contract §2). */
export const Identifier = v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/, 'id must be 24 hex characters'))
