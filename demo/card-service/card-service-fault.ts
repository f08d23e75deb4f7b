/** A failed call to the card service: its error code, or one of the shop's own if there was no answer. */
export class CardServiceFault extends Error {
  override readonly name = 'CardServiceFault'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
