import { createServer as createPlain } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTls } from 'node:https'
import * as v from 'valibot'
import { makeCertificate } from './certificate.ts'

/**
 * Stands in for the servers of all merchants' webhooks, each at its own address, in one process: it takes every message, and never
 * answers one at `/silent`. With the argument `tls` it speaks HTTPS. Tells its parent its port, and then, whenever it is asked, how many
 * messages it has taken, by how many connections, and its processor seconds.
 */
let taken = 0
let connections = 0
const take: RequestListener = (request, response) => {
  if (request.url?.startsWith('/silent') === true) return
  request.resume()
  request.on('end', () => {
    taken += 1
    response.writeHead(204).end()
  })
}
const server = process.argv[2] === 'tls' ? createTls(makeCertificate(), take) : createPlain(take)
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
