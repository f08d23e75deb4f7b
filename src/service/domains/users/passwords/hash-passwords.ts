import { findArgon2 } from './argon2.ts'
import type { Argon2 } from './argon2.ts'
import { createWorkQueue } from './work-queue.ts'
import type { Asker } from './work-queue.ts'

/** argon2id with 19 MiB, two passes and one thread: OWASP's Password Storage Cheat Sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once, of some 40 ms each (20 by the package), leave the processor to payments; the last of 20 who wait does so for 0.4 s. */
const QUEUE = { atOnce: 2, maxWaiting: 20, maxOfOne: 4 }

/**
 * Compared with where an account has no password, so that it takes as long: the hash of a random password that nobody kept.
 */
const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$a2YHB7/OpILqYVCPFV/98Q$4lxmfBi3ii/jfS3I4T88owyDRDkxZh/arDbs29YkDXw'

/** Hashes passwords and compares them; throws `service_unavailable` when too many wait for that already. */
export interface PasswordHashes {
  hash: (password: string, asker: Asker) => Promise<string>
  /** `kept` null: never matches, after the same work. */
  matches: (kept: string | null, password: string, asker: Asker) => Promise<boolean>
}

/** `find`: what computes argon2, looked for at the first password. */
export function createPasswordHashes(find: () => Promise<Argon2> = findArgon2): PasswordHashes {
  const inTurn = createWorkQueue(QUEUE)
  return {
    hash: (password, asker) => inTurn(asker, async () => (await find()).hash(sameText(password), COST)),
    async matches(kept, password, asker) {
      const isSame = await inTurn(asker, async () =>
        (await find()).verify(kept ?? DECOY_HASH, sameText(password)),
      )
      return isSame && kept !== null
    },
  }
}

/** Keyboards write one letter by different code points (NIST SP 800-63B-4 §3.1.1.2). */
function sameText(password: string): string {
  return password.normalize('NFKC')
}
