import type Client from 'undici/lib/dispatcher/client.js'
import symbols from 'undici/lib/core/symbols.js'

/** As undici takes it: it is passed over, and counted. */
const PROCESSING = 102

/**
 * Takes `100 Continue` as any other interim answer, on each connection of this client. Some servers send one that nobody has asked
 * for, and a client has to pass it over (RFC 9110, 15.2); undici ends the connection, with the answer on its way.
 */
export function passOverPermission(client: Client): void {
  client.on('connect', () => {
    const parser = parserOf(client)
    const take = parser?.onHeadersComplete
    if (parser === null || take === undefined) return
    parser.onHeadersComplete = (status, ...others) =>
      take.call(parser, status === 100 ? PROCESSING : status, ...others)
  })
}

interface Parser {
  onHeadersComplete?: (status: number, ...others: unknown[]) => unknown
}

/** What reads the answers of its connection; undici keeps it to itself. */
function parserOf(client: Client): Parser | null {
  const socket: unknown = Reflect.get(client, symbols.kSocket)
  const parser: unknown = socket instanceof Object ? Reflect.get(socket, symbols.kParser) : null
  return parser instanceof Object ? parser : null
}
