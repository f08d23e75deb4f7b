import type { KeyTable } from '../vault/wrapped-keys.ts'

/** The data keys of kept answers. A request whose answer is lost is carried out when it comes again. */
export const requestKeys: KeyTable = {
  of: 'kept answers',
  table: 'idempotent_requests',
  id: 'key',
  idType: 'text',
  place: "'idempotent_requests/' || key",
  isNeeded: 'true',
  erase: 'master_key_id = NULL, wrapped_data_key = NULL, answer = NULL',
}
