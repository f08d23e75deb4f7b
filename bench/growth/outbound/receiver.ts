import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createPlain } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'

const SELF_SIGNED =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=receiver'

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

/** A new key (P-256, as most sites have) and a self-signed certificate. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync('openssl', [...SELF_SIGNED.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return made
}
