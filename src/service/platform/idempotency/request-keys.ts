import type { KeyTable } from '../vault/wrapped-keys.ts'

/** Where an answer is kept, bound to what is sealed. */
export function answerPlaceOf(key: string): string {
  return `idempotent_requests/${key}`
}

/** The data keys of kept answers. A request whose answer is lost is carried out when it comes again. */
export const requestKeys: KeyTable = {
  of: 'kept answers',
  table: 'idempotent_requests',
  id: 'key',
  idType: 'text',
  merchantId: "''",
  name: 'key',
  placeOf: ({ name }) => answerPlaceOf(name),
  isNeeded: 'true',
  erase: 'master_key_id = NULL, wrapped_data_key = NULL, answer = NULL',
}
