import * as v from 'valibot'
import { createHttpClient } from '../../outbound/http-client.ts'
import type { Proxy } from '../../outbound/proxy.ts'
import type { SendRequest } from '../../outbound/http-client.ts'
import { KeyStoreDown } from './master-keys.ts'
import type { KeyCall, KeyStore } from './master-keys.ts'
import { readSecretFile } from './read-secret-file.ts'
import { TOKEN } from './vault-settings.ts'
import type { TransitSettings } from './vault-settings.ts'

const Encrypted = v.object({
  data: v.object({ ciphertext: v.pipe(v.string(), v.regex(/^vault:v\d+:[A-Za-z0-9+/=]+$/)) }),
})
const Decrypted = v.object({ data: v.object({ plaintext: v.pipe(v.string(), v.base64()) }) })

/** Far more than any valid answer needs. */
const MAX_BYTES = 65_536
/** Longer than any caller waits: the caller ends the call by its signal. */
const MAX_CALL_MS = 10_000
/** How long a connection is kept for the next call. */
const IDLE_MS = 30_000

/**
 * Master keys in a key management service that speaks the API of HashiCorp Vault's and OpenBao's transit secrets engine:
 * it encrypts and decrypts data keys, and its own keys never leave it. The keys must be of an authenticated type, which
 * `aes256-gcm96` is: only these take `associated_data`.
 */
export function createTransitKeyStore(settings: TransitSettings, proxy: Proxy | null = null): KeyStore {
  const send = createHttpClient({
    timeoutMs: MAX_CALL_MS,
    maxBytes: MAX_BYTES,
    wants: 'whole answer',
    idleMs: IDLE_MS,
    proxy,
  })
  return {
    ids: settings.keys,
    async wrap(id, dataKey, call) {
      const body = { plaintext: dataKey.toString('base64') }
      const answer = await ask(send, settings, `encrypt/${id}`, body, call)
      return Buffer.from(parsed(Encrypted, answer).data.ciphertext)
    },
    async unwrap(id, wrapped, call) {
      const answer = await ask(send, settings, `decrypt/${id}`, { ciphertext: wrapped.toString() }, call)
      return Buffer.from(parsed(Decrypted, answer).data.plaintext, 'base64')
    },
  }
}

async function ask(
  send: SendRequest,
  { url, token }: TransitSettings,
  path: string,
  body: Record<string, string>,
  { context, signal }: KeyCall,
): Promise<unknown> {
  const answer = await send({
    url: `${url}/${path}`,
    headers: { 'x-vault-token': tokenOf(token), 'x-vault-request': 'true' },
    body: JSON.stringify({ ...body, associated_data: Buffer.from(context).toString('base64') }),
    signal,
  }).catch((cause: unknown) => {
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new KeyStoreDown(`the key service: ${words}`, { cause })
  })
  const { status } = answer
  if (status === 200) return jsonOf(answer.body)
  // The engine answers 400 to a ciphertext that is damaged or belongs elsewhere. Other refusals are for the operator to fix.
  if (status === 400) throw new Error(`the key service refuses ${path}`)
  throw new KeyStoreDown(`the key service answered ${String(status)} to ${path}`)
}

function tokenOf(token: TransitSettings['token']): string {
  if ('text' in token) return token.text
  const text = tokenIn(token.file)
  if (TOKEN.test(text)) return text
  throw new KeyStoreDown(
    'SVC_VAULT_TRANSIT_TOKEN_FILE holds no token: visible characters, without spaces and line breaks',
  )
}

function tokenIn(file: string): string {
  try {
    return readSecretFile(file)
  } catch (cause) {
    throw new KeyStoreDown('SVC_VAULT_TRANSIT_TOKEN_FILE cannot be read', { cause })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, answer: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, answer)
  if (!result.success) throw new KeyStoreDown('the key service gave an answer that is not of the transit API')
  return result.output
}
