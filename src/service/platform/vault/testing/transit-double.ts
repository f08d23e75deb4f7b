import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import * as v from 'valibot'

/** Stands in for a transit secrets engine, with the answers that its documentation gives. */
export interface TransitDouble {
  url: string
  token: string
  /** What the next answers are instead of the engine's; `hang` never answers. */
  answerWith: (answer: { status: number; body: string } | 'hang' | null) => void
  /** Gives a key a new version: what is encrypted next is under it, and what was opens as before. */
  rotate: (key: string) => void
  close: () => Promise<void>
}

const RequestBody = v.object({
  plaintext: v.optional(v.string()),
  ciphertext: v.optional(v.string()),
  associated_data: v.optional(v.string(), ''),
})

interface Answered {
  status: number
  body: string
}

export async function startTransitDouble(keys: readonly string[]): Promise<TransitDouble> {
  const token = `hvs.${randomBytes(12).toString('hex')}`
  const versions = new Map(keys.map((name) => [name, [randomBytes(32)]]))
  let next: Answered | 'hang' | null = null
  const server = createServer((request, response) => {
    void answerTo(request, { token, versions }).then((usual) => {
      if (next === 'hang') return
      const { status, body } = next ?? usual
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    url: `http://127.0.0.1:${String(port)}/v1/transit`,
    token,
    answerWith: (answer) => (next = answer),
    rotate: (key) => versions.get(key)?.push(randomBytes(32)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Engine {
  token: string
  versions: ReadonlyMap<string, Buffer[]>
}

async function answerTo(request: IncomingMessage, { token, versions }: Engine): Promise<Answered> {
  const [, action, name = ''] = /^\/v1\/transit\/(encrypt|decrypt)\/([\w-]+)$/.exec(request.url ?? '') ?? []
  const body = v.parse(RequestBody, await json(request))
  if (request.headers['x-vault-token'] !== token) return errors(403, 'permission denied')
  const keys = versions.get(name)
  if (keys === undefined) return errors(400, 'encryption key not found')
  const associated = Buffer.from(body.associated_data, 'base64')
  return action === 'encrypt' ? encrypted(keys, body, associated) : decrypted(keys, body, associated)
}

type RequestBody = v.InferOutput<typeof RequestBody>

function encrypted(keys: readonly Buffer[], { plaintext = '' }: RequestBody, associated: Buffer): Answered {
  const sealed = seal(keys, Buffer.from(plaintext, 'base64'), associated)
  return good({ ciphertext: `vault:v${String(keys.length)}:${sealed}`, key_version: keys.length })
}

function decrypted(keys: readonly Buffer[], { ciphertext = '' }: RequestBody, associated: Buffer): Answered {
  const [, version, sealed = ''] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? []
  const key = keys[Number(version) - 1]
  if (key === undefined) return errors(400, 'invalid ciphertext: no prefix')
  try {
    return good({ plaintext: unseal(key, Buffer.from(sealed, 'base64'), associated).toString('base64') })
  } catch {
    return errors(400, 'cipher: message authentication failed')
  }
}

function seal(keys: readonly Buffer[], plain: Buffer, associated: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.at(-1) ?? Buffer.alloc(0), iv).setAAD(associated)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function unseal(key: Buffer, sealed: Buffer, associated: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(associated).setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

function good(data: object): Answered {
  return { status: 200, body: JSON.stringify({ data }) }
}

function errors(status: number, words: string): Answered {
  return { status, body: JSON.stringify({ errors: [words] }) }
}
