import crypto from 'node:crypto'

/** argon2id, with hashes as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export interface Argon2 {
  hash: (password: string, cost: Argon2Cost) => Promise<string>
  /** Rejects if `kept` is not such a string. */
  verify: (kept: string, password: string) => Promise<boolean>
}

/** Memory in KiB, passes, and threads. */
interface Argon2Cost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** Neither Node nor a package computes argon2. The message says what to install. */
export class NoArgon2 extends Error {
  override readonly name = 'NoArgon2'
}

const SALT_BYTES = 16
const HASH_BYTES = 32

/** Node's own from 24.7 on, otherwise that of the optional package. Rejects with `NoArgon2`. */
export async function findArgon2(ofNode: () => Argon2 | null = argon2OfNode): Promise<Argon2> {
  const own = ofNode()
  if (own !== null) return own
  try {
    return await import('@node-rs/argon2')
  } catch {
    throw new NoArgon2(
      `passwords are kept by argon2, which Node ${process.versions.node} does not compute, and the package for it is not installed: start Node 24.7 or newer, or run npm ci without --omit=optional`,
    )
  }
}

/** Null if this Node, or its OpenSSL, does not compute argon2. */
export function argon2OfNode(): Argon2 | null {
  if (!('argon2Sync' in crypto)) return null
  try {
    crypto.argon2Sync('argon2id', {
      message: '',
      nonce: Buffer.alloc(SALT_BYTES),
      parallelism: 1,
      tagLength: HASH_BYTES,
      memory: 8,
      passes: 1,
    })
    return { hash: hashByNode, verify: verifyByNode }
  } catch {
    return null
  }
}

async function hashByNode(password: string, cost: Argon2Cost): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES)
  const hash = await compute(password, cost, salt, HASH_BYTES)
  const { memoryCost, timeCost, parallelism } = cost
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

async function verifyByNode(kept: string, password: string): Promise<boolean> {
  const [, memory, passes, threads, salt, hash] = PHC.exec(kept) ?? []
  if (salt === undefined || hash === undefined) throw new Error('what is kept is no hash by argon2id')
  const cost = { memoryCost: Number(memory), timeCost: Number(passes), parallelism: Number(threads) }
  const expected = Buffer.from(hash, 'base64')
  const found = await compute(password, cost, Buffer.from(salt, 'base64'), expected.length)
  return crypto.timingSafeEqual(found, expected)
}

function compute(
  password: string,
  { memoryCost, timeCost, parallelism }: Argon2Cost,
  salt: Buffer,
  bytes: number,
): Promise<Buffer> {
  const parameters = {
    message: password,
    nonce: salt,
    parallelism,
    tagLength: bytes,
    memory: memoryCost,
    passes: timeCost,
  }
  return new Promise((resolve, reject) =>
    crypto.argon2('argon2id', parameters, (error, hash) => (error === null ? resolve(hash) : reject(error))),
  )
}

/** Base64 as in PHC strings. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
