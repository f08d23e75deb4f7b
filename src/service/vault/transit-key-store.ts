import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { KeyStoreDown } from './key-store.ts'
import type { KeyCall, KeyStore } from './key-store.ts'
import type { TransitSettings } from './vault-settings.ts'

const Encrypted = v.object({
  data: v.object({ ciphertext: v.pipe(v.string(), v.regex(/^vault:v\d+:[A-Za-z0-9+/=]+$/)) }),
})
const Decrypted = v.object({ data: v.object({ plaintext: v.pipe(v.string(), v.base64()) }) })

/** No good answer is near this. */
const MOST_BYTES = 65_536

/**
 * Master keys in a key management service that speaks the API of HashiCorp Vault's and OpenBao's transit secrets engine:
 * it encrypts and decrypts data keys, and its own keys never leave it. The keys must be of an authenticated type, which
 * `aes256-gcm96` is: only these take `associated_data`.
 */
export function createTransitKeyStore(settings: TransitSettings): KeyStore {
  return {
    ids: settings.keys,
    async wrap(id, dataKey, call) {
      const body = { plaintext: dataKey.toString('base64') }
      const answer = await ask(settings, `encrypt/${id}`, body, call)
      return Buffer.from(parsed(Encrypted, answer).data.ciphertext)
    },
    async unwrap(id, wrapped, call) {
      const answer = await ask(settings, `decrypt/${id}`, { ciphertext: wrapped.toString() }, call)
      return Buffer.from(parsed(Decrypted, answer).data.plaintext, 'base64')
    },
  }
}

async function ask(
  { url, token }: TransitSettings,
  path: string,
  body: Record<string, string>,
  { context, signal }: KeyCall,
): Promise<unknown> {
  const { status, text } = await send(`${url}/${path}`, await tokenOf(token), {
    body: JSON.stringify({ ...body, associated_data: Buffer.from(context).toString('base64') }),
    signal,
  })
  if (status === 200) return jsonOf(text)
  // The engine says 400 to a ciphertext that is damaged or belongs elsewhere. Other refusals are the operator's to mend.
  if (status === 400) throw new Error(`the key service refuses ${path}`)
  throw new KeyStoreDown(`the key service answered ${String(status)} to ${path}`)
}

async function send(
  url: string,
  token: string,
  { body, signal }: { body: string; signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'x-vault-token': token, 'x-vault-request': 'true' }
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    return { status: answer.status, text: await boundedText(answer) }
  } catch (cause) {
    throw new KeyStoreDown('the key service can not be reached', { cause })
  }
}

async function boundedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MOST_BYTES) throw new Error('the answer is too long')
  }
  return Buffer.concat(chunks).toString()
}

async function tokenOf(token: TransitSettings['token']): Promise<string> {
  if ('text' in token) return token.text
  try {
    return (await readFile(token.file, 'utf8')).trim()
  } catch (cause) {
    throw new KeyStoreDown('SVC_VAULT_TRANSIT_TOKEN_FILE can not be read', { cause })
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
