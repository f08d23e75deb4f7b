import * as v from 'valibot'

/** The version of EMV 3-D Secure that the sandbox's bank speaks. */
export const VERSION = '2.2.0'

const Uuid = v.pipe(v.string(), v.uuid())

/** What a page posts in a hidden frame, and what the bank's page posts back (EMV 3DS 2.2, 3DS Method Data). */
const MethodData = v.object({ threeDSServerTransID: Uuid })

/** What a page posts to open the bank's page (EMV 3DS 2.2, CReq of the browser flow). */
const Creq = v.object({ threeDSServerTransID: Uuid, acsTransID: Uuid })

/** What the bank's page posts back (EMV 3DS 2.2, CRes of the browser flow). */
const Cres = v.object({ threeDSServerTransID: Uuid, acsTransID: Uuid })

/** A message as it is posted: JSON as base64url without padding. */
export function encoded(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

export const readMethodData = readerOf(MethodData)
export const readCreq = readerOf(Creq)
export const readCres = readerOf(Cres)

/** Reads a message; null if it is no such message. */
function readerOf<Schema extends v.GenericSchema>(schema: Schema) {
  return (posted: string): v.InferOutput<Schema> | null => {
    try {
      const parsed = v.safeParse(schema, JSON.parse(Buffer.from(posted, 'base64url').toString('utf8')))
      return parsed.success ? parsed.output : null
    } catch {
      return null
    }
  }
}
