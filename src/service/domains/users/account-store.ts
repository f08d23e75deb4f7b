import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import type { Account } from './account.ts'
import type { accountColumns } from './account-sql.ts'
import {
  addUser,
  changePassword,
  changeUser,
  findAccount,
  findByEmail,
  forgetOldPlaces,
  listMerchants,
  listUsers,
  lockUser,
  recordPlaces,
  removeUser,
  setPassword,
} from './account-sql.ts'

interface NewUser {
  id: string
  email: string
  name: string
  timeZone: string
  passwordHash: string
}

/** A person in one team, or in none. */
export interface ListedUser {
  email: string
  name: string
  merchantId: string | null
  role: Role | null
  hasSecondFactor: boolean
  seenAt: Date | null
}

/** People who sign in, in SQL; what changes one runs in the transaction of its act. */
export interface AccountStore {
  /** `knownPlace`: the first of these places where this person has signed in before, null where there is none. */
  ofEmail: (
    email: string,
    places: readonly string[],
    queries?: Queries,
  ) => Promise<(Account & { knownPlace: string | null }) | null>
  find: (userId: string) => Promise<Account | null>
  /** As it is now; its password and second factors stay so until the transaction ends. */
  lock: (queries: Queries, userId: string) => Promise<Account | null>
  list: () => Promise<ListedUser[]>
  merchantsOf: (userId: string, queries?: Queries) => Promise<{ id: string; name: string; role: Role }[]>
  /** Rejects with a conflict in `users_by_email` when there is one with this e-mail address. */
  add: (queries: Queries, user: NewUser) => Promise<void>
  recordPlaces: (queries: Queries, userId: string, places: readonly string[]) => Promise<void>
  /** False when the password has changed since. */
  changePassword: (queries: Queries, userId: string, oldHash: string, newHash: string) => Promise<boolean>
  setPassword: (queries: Queries, userId: string, newHash: string | null) => Promise<void>
  change: (queries: Queries, userId: string, change: { name?: string; timeZone?: string }) => Promise<void>
  remove: (queries: Queries, userId: string) => Promise<void>
  forgetOldPlaces: () => Promise<void>
}

export function createAccountStore(database: Database): AccountStore {
  return {
    async ofEmail(email, places, queries = database) {
      const [row] = await queries.run(findByEmail, { email, places: [...places] })
      return row === undefined ? null : { ...toAccount(row), knownPlace: row.known_place }
    },
    find: (userId) => find(database, userId),
    async lock(queries, userId) {
      await queries.run(lockUser, { user_id: userId })
      // Another statement: the one that waited sees what was there when it began.
      return find(queries, userId)
    },
    async list() {
      const rows = await database.run(listUsers, {})
      return rows.map(({ merchant_id: merchantId, has_second_factor: hasSecondFactor, ...row }) => {
        const { email, name, role, seen_at: seenAt } = row
        return { email, name, role, merchantId, hasSecondFactor, seenAt }
      })
    },
    merchantsOf: (userId, queries = database) => queries.run(listMerchants, { user_id: userId }),
    async add(queries, { id, email, name, timeZone, passwordHash }) {
      const values = { email, name, time_zone: timeZone, password_hash: passwordHash }
      await queries.run(addUser, { user_id: id, ...values })
    },
    async recordPlaces(queries, userId, places) {
      await queries.run(recordPlaces, { user_id: userId, places: [...places] })
    },
    async changePassword(queries, userId, oldHash, newHash) {
      const values = { user_id: userId, old_hash: oldHash, new_hash: newHash }
      return (await queries.run(changePassword, values)).length > 0
    },
    async setPassword(queries, userId, newHash) {
      await queries.run(setPassword, { user_id: userId, new_hash: newHash })
    },
    async change(queries, userId, { name = null, timeZone = null }) {
      await queries.run(changeUser, { user_id: userId, name, time_zone: timeZone })
    },
    async remove(queries, userId) {
      await queries.run(removeUser, { user_id: userId })
    },
    async forgetOldPlaces() {
      await database.run(forgetOldPlaces, {})
    },
  }
}

async function find(queries: Queries, userId: string): Promise<Account | null> {
  const [row] = await queries.run(findAccount, { user_id: userId })
  return row === undefined ? null : toAccount(row)
}

function toAccount(row: ValuesOf<typeof accountColumns>): Account {
  const { id, email, name, time_zone: timeZone, password_hash: passwordHash } = row
  const { merchant_id: merchantId, has_totp: hasTotp } = row
  const { passkeys, recovery_codes_left: recoveryCodesLeft } = row
  return { id, email, name, timeZone, passwordHash, merchantId, hasTotp, passkeys, recoveryCodesLeft }
}
