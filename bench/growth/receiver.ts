import { createServer } from 'node:http'
import * as v from 'valibot'

/**
 * The servers of merchants' webhooks, as a process of its own: it takes every message, and never answers one at `/silent`. Tells its
 * parent its port, and then, whenever it is asked, how many messages it has taken.
 */
let taken = 0
const server = createServer((request, response) => {
  if (request.url?.startsWith('/silent') === true) return
  request.resume()
  request.on('end', () => {
    taken += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  process.send?.({ port })
})
process.on('message', () => process.send?.({ taken }))
process.on('disconnect', () => process.exit(0))
