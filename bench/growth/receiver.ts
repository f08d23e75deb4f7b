import { createServer } from 'node:http'
import * as v from 'valibot'

/**
 * The servers of merchants' webhooks, each at an address of its own, as one process: it takes every message, and never answers one at `/silent`. Tells its
 * parent its port, and then, whenever it is asked, how many messages it has taken, by how many connections, and its processor seconds.
 */
let taken = 0
let connections = 0
const server = createServer((request, response) => {
  if (request.url?.startsWith('/silent') === true) return
  request.resume()
  request.on('end', () => {
    taken += 1
    response.writeHead(204).end()
  })
})
server.on('connection', () => (connections += 1))
server.listen(0, '0.0.0.0', () => {
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  process.send?.({ port })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ taken, connections, seconds: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit(0))
