/** The database can't be used as it is; the message says why in one line. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault'
}
