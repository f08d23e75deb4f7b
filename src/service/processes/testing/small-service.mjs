import { createServer } from 'node:http'
import process from 'node:process'

/** A stand-in for the service: answers with its process id, says when it is ready, and goes when it is told to. */
if (process.env.SMALL_SERVICE_FAILS === 'yes') process.exit(1)
const server = createServer((_request, response) =>
  response.end(JSON.stringify({ pid: process.pid, processes: process.env.SVC_PROCESSES })),
)
server.listen(Number(process.env.SMALL_SERVICE_PORT), '127.0.0.1', () => process.send?.('ready'))
process.on('message', (message) => {
  if (message === 'hurry') process.exit(0)
  server.close(() => process.exit(Number(process.env.SMALL_SERVICE_CODE ?? '0')))
  server.closeIdleConnections()
})
